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

void board_fail(enum subject subject, const char *format, ...)
{
	va_list arguments;

	if (board->failures[subject]++)
		return;
	va_start(arguments, format);
	vsnprintf(board->failure[subject], FAILURE_ROOM, format, arguments);
	va_end(arguments);
}

void board_count(unsigned int operation, int result)
{
	struct tally *tally = &board->tallies[operation];

	if (result >= 0)
		tally->done++;
	else if (result > -NR_ERRORS)
		tally->failed[-result]++;
}
