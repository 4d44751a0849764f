/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The board: memory that all processes of the torture share, also after execve():
 * the round, what operations have returned, failures, and the ledgers.
 *
 * A ledger is memory for counters of one width that no operation ever clears or
 * cuts off. Sessions over a ledger use its totals and have no counters elsewhere.
 * When all have ended, the sum of the counters is the number of hits, however the
 * processes have died and whatever they have done to their mappings of it.
 */
#ifndef TORTURE_BOARD_H
#define TORTURE_BOARD_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/profil.h>

#define BOARD_FD 90

#define NR_ERRORS 134
#define MAX_OPERATIONS 96
#define REASON_ROOM 96
#define FAILURE_ROOM 240
#define NR_LEDGERS 3

/* As large as the largest page of any kernel */
#define UNIT 0x10000
/* Too many pages of 4 KiB to be pinned at START */
#define LEDGER_BYTES (8 * UNIT)

/* What failures are about; each is one result of the torture. */
enum subject {
	SAMPLES,
	BYTES,
	SESSIONS,
	PINS,
	MODULE_REFERENCES,
	PROCESSES,
	NR_SUBJECTS,
};

/**
 * struct tally - results of one operation
 * @done: times without an error
 * @failed: times with each error number
 * @unavailable: why this kernel does not have it, or empty
 */
struct tally {
	__u64 done;
	__u64 failed[NR_ERRORS];
	char unavailable[REASON_ROOM];
};

/**
 * struct totals_unit - totals, and poison behind them
 */
union totals_unit {
	struct profil_totals totals;
	char bytes[UNIT];
};

/**
 * struct ledger - counters of one width
 * @before: poison
 * @unit: totals of the sessions over the counters
 * @counters: only the driver writes them
 * @after: poison
 */
struct ledger {
	char before[UNIT];
	union totals_unit unit;
	char counters[LEDGER_BYTES];
	char after[UNIT];
};

/**
 * struct board - see above
 * @seed: of the round
 * @stop: processes shall end
 * @quiet: processes shall stop their sessions and start none, so that the driver
 *	can be unloaded
 * @crowd: processes that run, without the short-lived
 * @tick_ns: time between two ticks
 * @processes: begun in all rounds
 * @exact_runs: sessions whose samples were compared with the ticks
 * @exact_samples: their samples
 * @attached: descriptors that were attached
 * @attached_samples: samples of their last sessions
 * @checked_bytes: of canaries
 * @failures: of each subject
 * @failure: text of the first failure of each subject
 * @tallies: of each operation
 * @ledgers: for counters of 2, 4 and 8 bytes
 * @wild: totals of all other sessions
 */
struct board {
	__u64 seed;
	int stop;
	int quiet;
	int crowd;
	__u64 tick_ns;
	__u64 processes;
	__u64 exact_runs;
	__u64 exact_samples;
	__u64 attached;
	__u64 attached_samples;
	__u64 checked_bytes;
	__u64 failures[NR_SUBJECTS];
	char failure[NR_SUBJECTS][FAILURE_ROOM];
	struct tally tallies[MAX_OPERATIONS];
	struct ledger ledgers[NR_LEDGERS] __attribute__((aligned(UNIT)));
	union totals_unit wild;
};

extern struct board *board;

/* Make the board, at BOARD_FD. False without memory. */
bool board_create(void);

/* Map the board of the program before execve(). */
bool board_open(void);

/* Bytes of counters of ledger @nr: 2, 4 or 8 */
__u32 ledger_width(unsigned int nr);

/* The position of a ledger's counters in the file BOARD_FD */
__u64 ledger_offset(unsigned int nr);

bool board_stops(void);

/* The sessions of all processes are to be stopped, or may be started again. */
void board_set_quiet(bool quiet);
bool board_is_quiet(void);

/* Add @more to a number on the board. */
void board_add(__u64 *number, __u64 more);

/* Note a failure; the text of the first of each subject is kept. */
void board_fail(enum subject subject, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Count the result of an operation: 0 or a negative errno. */
void board_count(unsigned int operation, int result);

#endif /* TORTURE_BOARD_H */
