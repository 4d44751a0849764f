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
 * struct expected - a session as the documents promise it
 * @exists: there is one
 * @nr_regions: its number of regions
 * @flags: PROFIL_F_* flags
 * @period_ns: its period
 * @apart: no counter of it lies in the block of ARGUMENT
 */
struct expected {
	bool exists;
	__u32 nr_regions;
	__u32 flags;
	__u64 period_ns;
	bool apart;
};

/**
 * struct world - what results depend on, beside the memory
 * @tick_ns: nanoseconds from one scheduler tick to the next
 * @min_period_ns: the parameter min_period_us, in nanoseconds
 * @restricted: periods shorter than the tick are refused
 * @limited: RLIMIT_MEMLOCK may refuse a page
 * @session: that of the program
 */
struct world {
	__u64 tick_ns;
	__u64 min_period_ns;
	bool restricted;
	bool limited;
	struct expected session;
};

/* The flags of START that are documented */
#define ORACLE_START_FLAGS                                                 \
	(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP | PROFIL_F_USER_ONLY | \
	 PROFIL_F_STRICT | PROFIL_F_BYTES)

/* A set of results: bit 0 for success, bit n for the error n. */
typedef __u64 results;

#define SUCCESS ((results)1)
#define ERROR(number) ((results)1 << (number))

/* The results of a command that are allowed for the argument at @at. */
results oracle_allows(const struct world *world, unsigned long command,
		      __u64 at);

/*
 * What the call has done to the session if it has returned @result, 0 or a
 * negative errno. @start is the argument as it was before the call, @apart is that
 * of the session which it may begin, and @valid tells that the argument passes all
 * checks of its structure.
 */
void oracle_follow(struct world *world, unsigned long command,
		   const struct profil_start *start, bool apart, bool valid,
		   int result);

/* True if @at has an argument that passes all checks of its structure. */
bool oracle_takes(unsigned long command, __u64 at);

/* Bytes of the structure of ABI 1, or 0 for an unknown command */
__u32 oracle_size(unsigned long command);

#endif /* FUZZ_ORACLE_H */
