/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Users, by their kernel-wide user id, and what one of them may take away from
 * the others: a work that faults in user memory may wait forever, since a file
 * system or a FUSE server may never answer. Each user has few such works.
 */
#ifndef PROFIL_USER_H
#define PROFIL_USER_H

#include <linux/types.h>

struct user;

/* The real user of current, with a reference; NULL without memory. Sleeps. */
struct user *profil_user_get(void);
void profil_user_put(struct user *user);

/*
 * Around a work that faults in memory of a program of @user. False when too
 * many already do: do not fault then, nor call profil_user_fault_end(). Any context.
 */
bool profil_user_fault_begin(struct user *user);
void profil_user_fault_end(struct user *user);

#endif /* PROFIL_USER_H */
