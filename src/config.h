/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the caller of START asked for: checked, resolved, and not changed
 * after that. A forked child's session shares its parent's.
 */
#ifndef PROFIL_CONFIG_H
#define PROFIL_CONFIG_H

#include <linux/refcount.h>
#include <linux/types.h>

#include "memlock.h"
#include "region.h"

/* The PROFIL_F_* that there are. */
#define PROFIL_START_FLAGS                                                 \
	(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP | PROFIL_F_USER_ONLY | \
	 PROFIL_F_STRICT)

struct totals_page;
struct fault_quota;

/**
 * struct config - what a session is to do
 * @map: the regions, in memory of their own, which goes with the last of @users
 * @flags: PROFIL_F_*
 * @counter_max: the value at which a counter stays
 * @period_ns: nanoseconds between two samples, 0 for the tick
 * @fault_quota: who called START, for the works that may fault
 * @memlock: whose limit the pinned pages count against, those of forked
 *	children's sessions, too
 * @totals: where the totals go in the end, or NULL
 * @totals_addr: the same, as the caller gave it
 * @users: sessions that have it
 * @rcu: the fork probe and sched_switch look at it without a reference, but at
 *	no region
 */
struct config {
	struct region_map map;
	u32 flags;
	u64 counter_max;
	u64 period_ns;
	struct fault_quota *fault_quota;
	struct memlock memlock;
	struct totals_page *totals;
	u64 totals_addr;
	refcount_t users;
	struct rcu_head rcu;
};

/* Check what START was given, in the documented order; may return ERR_PTR(). */
struct config *profil_config_create(const struct profil_start *start);

/* Take a reference, unless the last is gone. Caller is in an RCU section. */
bool profil_config_get(struct config *config);
void profil_config_put(struct config *config);

/* What VERSION says of the parameters. */
u64 profil_config_min_period_ns(void);

#endif /* PROFIL_CONFIG_H */
