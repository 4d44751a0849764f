/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Arguments of the calls at fixed addresses, so that a table of constants can
 * name good and bad places.
 */
#ifndef PROFIL_TEST_ATTEMPT_H
#define PROFIL_TEST_ATTEMPT_H

#include "common.h"

#define MIB 0x100000UL

#define ARENA 0x10000000UL
#define COUNTERS (ARENA)
#define HOLE (ARENA + MIB)
#define READONLY (ARENA + 2 * MIB)
#define SHARED (ARENA + 3 * MIB)
#define ARENA_BYTES (4 * MIB)
#define KERNEL 0xffff800000000000ULL
#define OTHER_COUNTERS (COUNTERS + 0x8000)
/* Unmapped; its lower 32 bits are the address of SHARED. */
#define ABOVE_4_GIB ((1ULL << 32) + SHARED)

/*
 * An argument, longer than any structure of today, and the arrays it points to.
 */
struct attempt {
	union {
		struct profil_start start;
		struct profil_stats stats;
		struct profil_version version;
		char bytes[128];
	};
	struct profil_region regions[2];
	__u32 states[4];
};

size_t known_size(unsigned long command);

/*
 * Fill @attempt with a valid argument of @command. @size is known_size() or
 * more.
 */
void set_up(struct attempt *attempt, unsigned long command, size_t size);

/* Map the fixed addresses. False if one of them is in use. */
bool map_arena(void);

/* The witness: a running session that no failing call may change. */
int start_witness(int fd);
bool witness_runs(int fd);

/* True if the session counts at the witness's counters and nowhere else. */
bool witness_counts(int fd);

#endif /* PROFIL_TEST_ATTEMPT_H */
