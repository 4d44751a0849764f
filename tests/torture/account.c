// SPDX-License-Identifier: GPL-2.0-only
#include "account.h"

#include <stdio.h>
#include <string.h>

#include "board.h"
#include "common.h"
#include "guard.h"
#include "guest.h"
#include "keepers.h"
#include "module.h"
#include "sessions.h"
#include "users.h"

#define LISTING "/sys/kernel/debug/profil/sessions"

static struct profil_totals *totals_nr(unsigned int nr)
{
	return nr < NR_LEDGERS ? &board->ledgers[nr].unit.totals :
				 &board->wild.totals;
}

static bool have_all_ended(void)
{
	unsigned int i;

	for (i = 0; i <= NR_LEDGERS; i++)
		if (totals_nr(i)->ended != totals_nr(i)->sessions)
			return false;
	return true;
}

/* Repeat until @holds, or false after TIMEOUT_NS. */
static bool eventually(bool (*holds)(void))
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (!holds()) {
		if (wall_ns() > until)
			return false;
		sleep_ns(5 * NSEC_PER_MSEC);
	}
	return true;
}

static bool totals_add_up(const struct profil_totals *totals)
{
	return totals->hits + totals->outside + totals->lost == totals->samples;
}

static void check_totals(unsigned int nr)
{
	const struct profil_totals *totals = totals_nr(nr);

	if (totals->sessions != totals->ended)
		board_fail(SESSIONS,
			   "totals %u: %llu sessions, of which %llu have ended",
			   nr, totals->sessions, totals->ended);
	if (!totals_add_up(totals))
		board_fail(SAMPLES,
			   "totals %u: %llu samples, and %llu + %llu + %llu",
			   nr, totals->samples, totals->hits, totals->outside,
			   totals->lost);
}

static void check_ledger(unsigned int nr)
{
	const struct ledger *ledger = &board->ledgers[nr];
	const struct profil_totals *totals = &ledger->unit.totals;
	__u32 width = ledger_width(nr);
	__u64 sum = counters_sum(ledger->counters, width, LEDGER_BYTES / width);

	if (sum != totals->hits - totals->saturated)
		board_fail(SAMPLES, "ledger %u: sum %llu, %llu hits, %llu full",
			   nr, sum, totals->hits, totals->saturated);
}

static void check_poison(const char *what, const void *at, size_t bytes)
{
	const void *found = NULL;

	if (guard_check(at, bytes, false, &found) == TOUCHED)
		board_fail(BYTES, "%s: %p is changed", what, found);
}

static void check_around(unsigned int nr)
{
	const struct ledger *ledger = &board->ledgers[nr];
	size_t used = sizeof(ledger->unit.totals);

	check_poison("before a ledger", ledger->before, UNIT);
	check_poison("behind totals", ledger->unit.bytes + used, UNIT - used);
	check_poison("behind a ledger", ledger->after, UNIT);
}

static bool nothing_is_listed(void)
{
	FILE *file = fopen(LISTING, "r");
	char line[256];
	int lines = 0;

	while (file && fgets(line, sizeof(line), file))
		lines++;
	if (file)
		fclose(file);
	return !file || lines == 1;
}

static bool pins_are_even(void)
{
	return vm_event("nr_foll_pin_acquired") ==
	       vm_event("nr_foll_pin_released");
}

/* Once the module is gone, only what it has leaked is still there. */
static void check_module(void)
{
	char parameters[PARAMETERS_ROOM];
	int error = module_parameters(parameters);

	if (!wait_until_unused())
		board_fail(MODULE_REFERENCES, "the module has %ld references",
			   references());
	if (!error)
		error = unload_eventually();
	if (error) {
		board_fail(MODULE_REFERENCES, "the module is not unloaded: %d",
			   error);
		return;
	}
	if (!eventually(pins_are_even))
		board_fail(PINS, "%lu pages have been pinned, %lu unpinned",
			   vm_event("nr_foll_pin_acquired"),
			   vm_event("nr_foll_pin_released"));
	error = load(parameters);
	if (error)
		board_fail(MODULE_REFERENCES, "the module is not loaded: %d",
			   error);
}

static void check_driver(void)
{
	unsigned int i;

	eventually(have_all_ended);
	for (i = 0; i <= NR_LEDGERS; i++)
		check_totals(i);
	for (i = 0; i < NR_LEDGERS; i++)
		check_ledger(i);
	if (guest_missing())
		return;
	keepers_end();
	if (!eventually(nothing_is_listed))
		board_fail(SESSIONS, "debugfs lists sessions of no process");
	if (!eventually(users_have_nothing_pinned))
		board_fail(PINS,
			   "a user without processes is charged for pages");
	check_module();
}

void account_check(void)
{
	unsigned int i;

	for (i = 0; i < NR_LEDGERS; i++)
		check_around(i);
	if (!sessions_missing())
		check_driver();
}

struct account account_sums(void)
{
	struct account sums = { 0 };
	unsigned int i;

	for (i = 0; i <= NR_LEDGERS; i++) {
		sums.sessions += totals_nr(i)->sessions;
		sums.samples += totals_nr(i)->samples;
		sums.lost += totals_nr(i)->lost;
	}
	return sums;
}
