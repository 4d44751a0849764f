/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results that Documentation/profil.rst allows for a call, from the memory of
 * the arena before the call. The oracle knows the documents, not the driver.
 */
#ifndef FUZZ_ORACLE_H
#define FUZZ_ORACLE_H

#include <stdbool.h>

#include <linux/profil.h>

/**
 * struct world - what results depend on, beside the memory
 * @tick_ns: nanoseconds from one scheduler tick to the next
 * @min_period_ns: the parameter min_period_us, in nanoseconds
 * @restricted: periods shorter than the tick are refused
 * @limited: RLIMIT_MEMLOCK may refuse a page
 * @session: a session exists
 * @nr_regions: its number of regions
 * @period_ns: its period
 */
struct world {
	__u64 tick_ns;
	__u64 min_period_ns;
	bool restricted;
	bool limited;
	bool session;
	__u32 nr_regions;
	__u64 period_ns;
};

/* A set of results: bit 0 for success, bit n for the error n. */
typedef __u64 results;

#define SUCCESS ((results)1)
#define ERROR(number) ((results)1 << (number))

/* The results of a command that are allowed for the argument at @at. */
results oracle_allows(const struct world *world, unsigned long command,
		      __u64 at);

/*
 * What the call has done to the session if it has returned @result, 0 or a
 * negative errno. To be called with the argument as it was before the call.
 */
void oracle_follow(struct world *world, unsigned long command,
		   const struct profil_start *start, bool valid, int result);

/* True if @at has an argument that passes all checks of its structure. */
bool oracle_takes(unsigned long command, __u64 at);

/* Bytes of the structure of ABI 1, or 0 for an unknown command */
__u32 oracle_size(unsigned long command);

#endif /* FUZZ_ORACLE_H */
