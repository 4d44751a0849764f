/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Users, by their kernel-wide user id, and what one of them may take away from
 * the others: a work that faults in user memory may wait forever, since a file
 * system or a FUSE server may never answer. Each user has few such works.
 */
#ifndef PROFIL_FAULT_QUOTA_H
#define PROFIL_FAULT_QUOTA_H

#include <linux/types.h>

struct fault_quota;

/* The real user of current, with a reference; NULL without memory. Sleeps. */
struct fault_quota *profil_fault_quota_get(void);
void profil_fault_quota_put(struct fault_quota *quota);

/*
 * Around a work that faults in memory of a program of @user. False when too
 * many already do: do not fault then, nor call profil_fault_quota_leave(). Any context.
 */
bool profil_fault_quota_enter(struct fault_quota *quota);
void profil_fault_quota_leave(struct fault_quota *quota);

#endif /* PROFIL_FAULT_QUOTA_H */
