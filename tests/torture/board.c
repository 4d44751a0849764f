// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#include <stdarg.h>

/* The same address in all programs, far from addresses that mmap() chooses */
#define BOARD_AT ((void *)0x1f00000000)

struct board *board;

bool board_open(void)
{
	void *at = mmap(BOARD_AT, sizeof(*board), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED_NOREPLACE, BOARD_FD, 0);

	board = at == MAP_FAILED ? NULL : at;
	return board;
}

static void poison_ledger(struct ledger *ledger)
{
	memset(ledger->before, POISON, sizeof(ledger->before));
	memset(ledger->unit.bytes, POISON, sizeof(ledger->unit));
	memset(&ledger->unit.totals, 0, sizeof(ledger->unit.totals));
	memset(ledger->counters, 0, sizeof(ledger->counters));
	memset(ledger->after, POISON, sizeof(ledger->after));
}

bool board_create(void)
{
	int fd = memfd_create("board", 0);

	if (fd < 0 || dup2(fd, BOARD_FD) < 0 || close(fd) ||
	    ftruncate(BOARD_FD, sizeof(*board)) || !board_open())
		return false;
	for (unsigned int i = 0; i < NR_LEDGERS; i++)
		poison_ledger(&board->ledgers[i]);
	return true;
}

__u32 ledger_width(unsigned int nr)
{
	return 2U << nr;
}

__u64 ledger_offset(unsigned int nr)
{
	return offsetof(struct board, ledgers) + nr * sizeof(struct ledger) +
	       offsetof(struct ledger, counters);
}

bool board_stops(void)
{
	return __atomic_load_n(&board->stop, __ATOMIC_RELAXED);
}

void board_set_quiet(bool quiet)
{
	__atomic_store_n(&board->quiet, quiet, __ATOMIC_SEQ_CST);
}

bool board_is_quiet(void)
{
	return __atomic_load_n(&board->quiet, __ATOMIC_SEQ_CST);
}

void board_add(__u64 *number, __u64 more)
{
	__atomic_fetch_add(number, more, __ATOMIC_RELAXED);
}

void board_fail(enum subject subject, const char *format, ...)
{
	va_list arguments;

	if (__atomic_fetch_add(&board->failures[subject], 1, __ATOMIC_RELAXED))
		return;
	va_start(arguments, format);
	vsnprintf(board->failure[subject], FAILURE_ROOM, format, arguments);
	va_end(arguments);
}

void board_count(unsigned int operation, int result)
{
	struct tally *tally = &board->tallies[operation];

	if (result >= 0)
		board_add(&tally->done, 1);
	else if (result > -NR_ERRORS)
		board_add(&tally->failed[-result], 1);
}
