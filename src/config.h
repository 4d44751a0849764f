/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Configurations: the parameters of START, checked and resolved. Constant once a session
 * is published. The session of a forked child shares that of its parent.
 */
#ifndef PROFIL_CONFIG_H
#define PROFIL_CONFIG_H

#include <linux/refcount.h>
#include <linux/types.h>

#include "pins.h"
#include "region.h"

/* All flags that START accepts. */
#define PROFIL_START_FLAGS                                                 \
	(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP | PROFIL_F_USER_ONLY | \
	 PROFIL_F_BYTES)

/* All flags of a region. */
#define PROFIL_REGION_FLAGS PROFIL_REGION_OVERFLOW

struct quota;

/* The parameters of a session */
struct config {
	/* the regions, in memory of their own that is freed with the last of @users */
	struct region_map map;
	u32 flags; /* PROFIL_F_* */
	u64 counter_max; /* the value at which a counter stays */
	u64 period_ns; /* nanoseconds between two samples, 0 for the tick */
	bool is_timed; /* the timer serves it on some CPU */
	/* quota of START's caller, which forked children's sessions are charged to, too */
	struct quota *user;
	/* limit of START's caller, for the pinned pages of all these sessions */
	struct pins pins;
	refcount_t users; /* sessions with this configuration */
	/* probes read the configuration, but not the regions, without a reference */
	struct rcu_head rcu;
};

/* Check @start, in the documented order; may return ERR_PTR(). Sleeps. */
struct config *profil_config_create(const struct profil_start *start);

/* Drop a reference. Sleeps. */
void profil_config_put(struct config *config);

/* The shortest period that START accepts now. */
u64 profil_config_min_period_ns(void);

/*
 * 0 if START accepts @period_ns; EINVAL when it is out of range, EACCES when it is
 * restricted.
 */
int profil_config_check_period(u64 period_ns);

#endif /* PROFIL_CONFIG_H */
