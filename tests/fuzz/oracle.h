/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The results that Documentation/profil.rst allows for a call, from the memory of
 * the arena before the call. The oracle knows the documents, not the driver.
 */
#ifndef FUZZ_ORACLE_H
#define FUZZ_ORACLE_H

#include <errno.h>
#include <stdbool.h>

#include <linux/profil.h>

#include "peers.h"

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
 * @most_sessions: the parameter max_sessions
 * @session: that of the program
 * @devices: descriptors, each with its session once it is attached
 * @peers: processes, with the descriptor that is attached to them or NR_DEVICES
 */
struct world {
	__u64 tick_ns;
	__u64 min_period_ns;
	bool restricted;
	bool limited;
	__u64 most_sessions;
	struct expected session;
	struct {
		bool attached;
		struct expected session;
	} devices[NR_DEVICES];
	struct {
		bool ended;
		unsigned int device;
	} peers[NR_PEERS];
};

/**
 * struct called - a call, with its argument as it was before
 * @device: the descriptor
 * @command: the command
 * @valid: the argument passes all checks of its structure, or is not needed
 * @apart: of the session that START may begin
 * @start: for START
 * @attach: for ATTACH
 */
struct called {
	unsigned int device;
	unsigned long command;
	bool valid;
	bool apart;
	union {
		struct profil_start start;
		struct profil_attach attach;
	};
};

/* The flags of START, of its regions and of ATTACH that are documented */
#define ORACLE_START_FLAGS                                                 \
	(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP | PROFIL_F_USER_ONLY | \
	 PROFIL_F_BYTES)
#define ORACLE_REGION_FLAGS (PROFIL_REGION_OVERFLOW | PROFIL_REGION_SPLIT)
#define ORACLE_ATTACH_FLAGS PROFIL_ATTACH_CHILDREN

/* A set of results: bit 0 for success, a bit for each error. */
typedef __u64 results;

#define SUCCESS ((results)1)
/* EALREADY has the bit of an error that is never used here. */
#define ERROR(number) ((results)1 << ((number) == EALREADY ? 63 : (number)))

/* The session that commands on @device are about */
const struct expected *oracle_session(const struct world *world,
				      unsigned int device);

/* True if @device is attached, and all of its processes have ended. */
bool oracle_is_gone(const struct world *world, unsigned int device);

/* Sessions of forked children may reach the limit: some may have none. */
bool oracle_has_low_limit(const struct world *world);

/*
 * The results of a command on @device that are allowed for the argument at @at.
 */
results oracle_allows(const struct world *world, unsigned int device,
		      unsigned long command, __u64 at);

/* What the call has done if it has returned @result, 0 or a negative errno. */
void oracle_follow(struct world *world, const struct called *called,
		   int result);

/* True if @at has an argument that passes all checks of its structure. */
bool oracle_takes(unsigned long command, __u64 at);

/* Bytes of the structure of ABI 1, or 0 for an unknown command */
__u32 oracle_size(unsigned long command);

#endif /* FUZZ_ORACLE_H */
