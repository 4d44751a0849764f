/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fault quotas: how many works of one user, by kernel-wide user id, may fault
 * in user memory at the same time. Such a fault may never finish, since a
 * network file system or a FUSE server may never answer; the quota keeps one
 * user from occupying the workqueue.
 */
#ifndef PROFIL_FAULT_QUOTA_H
#define PROFIL_FAULT_QUOTA_H

#include <linux/types.h>

struct fault_quota;

/*
 * The quota of current's real user, with a reference; NULL without memory.
 * Sleeps.
 */
struct fault_quota *profil_fault_quota_get(void);
void profil_fault_quota_put(struct fault_quota *quota);

/*
 * Enter before, leave after a work faults in user memory. False when the quota
 * is used up: then neither fault nor leave. Any context.
 */
bool profil_fault_quota_enter(struct fault_quota *quota);
void profil_fault_quota_leave(struct fault_quota *quota);

#endif /* PROFIL_FAULT_QUOTA_H */
