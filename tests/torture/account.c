// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#include "helpers.h"

#define LISTING "/sys/kernel/debug/profil/sessions"

/*
 * Keepers: processes that have a session each during a round, one for root and one for
 * each of the users. The driver has the number of a user's sessions as long as there is
 * one, so a session that is charged for too long, or uncharged twice, is seen when the
 * others have ended.
 */
#define NR_KEEPERS (1 + NR_USERS)

static struct holder keepers[NR_KEEPERS];
static bool are_there;

static struct holder new_holder(unsigned int nr)
{
	int fd = device_open();
	struct holder holder = nr ? holder_of(fd, FIRST_USER + nr - 1) :
				    holder_new(fd, NULL, NULL, 1);

	close(fd);
	return holder;
}

void keepers_begin(unsigned long long seed)
{
	are_there = seed % 2 && is_guest() && sessions_work();
	for (unsigned int i = 0; are_there && i < NR_KEEPERS; i++) {
		keepers[i] = new_holder(i);
		if (keepers[i].result)
			board_fail(SESSIONS, "keeper %u cannot START: %d", i,
				   keepers[i].result);
	}
}

/* The result of one more START of the user */
static int result_of_start(unsigned int nr)
{
	struct holder holder = new_holder(nr);

	holder_end(&holder);
	return holder.result;
}

/* With a limit of two there is room for one more, and with a limit of one for none. */
static void check_keeper(unsigned int nr)
{
	int result;

	set_max_sessions(2);
	/*
	 * Processes that have just ended are charged for a moment, and so is the
	 * memory of their rings of io_uring.
	 */
	(void)EVENTUALLY((result = result_of_start(nr)) != -EAGAIN &&
				 result != -ENOMEM,
			 sleep_ns(5 * NSEC_PER_MSEC));
	if (result)
		board_fail(SESSIONS,
			   "keeper %u is not the only session of its user: %d",
			   nr, result);
	set_max_sessions(1);
	result = result_of_start(nr);
	if (result != -EAGAIN)
		board_fail(SESSIONS, "keeper %u is not charged: %d", nr,
			   result);
}

static void keepers_end(void)
{
	char saved[32];

	if (!are_there || param_read("max_sessions", saved, sizeof(saved)))
		return;
	for (unsigned int i = 0; i < NR_KEEPERS; i++)
		check_keeper(i);
	param_write("max_sessions", saved);
	for (unsigned int i = 0; i < NR_KEEPERS; i++)
		holder_end(&keepers[i]);
	are_there = false;
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

	check_poison("before a ledger", ledger->before, UNIT);
	check_poison("behind a ledger", ledger->after, UNIT);
}

static bool nothing_is_listed(void)
{
	char line[256];
	int lines = 0;

	FOR_EACH_LINE(LISTING, line)
	lines++;
	return lines == 1 || access(LISTING, R_OK);
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
	if (!EVENTUALLY(!pages_pinned(), sleep_ns(5 * NSEC_PER_MSEC)))
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
	if (!is_guest())
		return;
	keepers_end();
	if (!EVENTUALLY(nothing_is_listed(), sleep_ns(5 * NSEC_PER_MSEC)))
		board_fail(SESSIONS, "debugfs lists sessions of no process");
	if (!EVENTUALLY(users_have_nothing_pinned(),
			sleep_ns(5 * NSEC_PER_MSEC)))
		board_fail(PINS,
			   "a user without processes is charged for pages");
	check_module();
}

void account_check(void)
{
	for (unsigned int i = 0; i < NR_LEDGERS; i++)
		check_around(i);
	if (sessions_work())
		check_driver();
}
