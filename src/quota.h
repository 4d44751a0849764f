/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Quotas: how many sessions a user may have, and memory of tables of processes as sessions;
 * and how many may have their counters in one address space.
 */
#ifndef PROFIL_QUOTA_H
#define PROFIL_QUOTA_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/types.h>
#include <linux/uidgid.h>

#include "books.h"
#include "works.h"

/* What one user, or one address space, uses */
struct quota {
	struct hlist_node node; /* in the table of quotas */
	/* the kernel-wide user ID, or the address of the mm_struct */
	unsigned long key;
	refcount_t refs;
	atomic_t sessions; /* sessions that are charged */
	struct works works; /* of a user */
	/* a fork charges its parent's user without a reference */
	struct rcu_head rcu;
};

/*
 * The user that current is accounted as: its real one, or who has made the outermost
 * user namespace of an ordinary user that it is in. Any context.
 */
kuid_t profil_quota_uid(void);

/* The quota of this user, with a reference; NULL without memory. Sleeps. */
struct quota *profil_quota_of_user(void);
void profil_quota_put(struct quota *quota);

/*
 * Charge a session to a user; false at the limit. Any context; with a reference or in an
 * RCU section.
 */
bool profil_quota_charge_user(struct quota *quota);

/* Undo it. */
static inline void quota_uncharge(struct quota *quota, unsigned int sessions)
{
	atomic_sub(sessions, &quota->sessions);
	book_add(BOOK_CHARGES, -(long)sessions);
}

/* Sessions that are charged. @quota: with a reference; NULL: nothing is charged */
struct charge {
	struct quota *quota;
	unsigned int sessions;
};

/*
 * Charge @bytes to current's user, or a session to its address space. ENOMEM; EAGAIN at the
 * limit. Undo it; nothing if nothing is charged. Sleep.
 */
int profil_quota_charge(struct charge *charge, size_t bytes);
int profil_quota_charge_space(struct charge *charge);
void profil_quota_uncharge(struct charge *charge);

/* The most sessions that a user may have */
unsigned int profil_quota_max_sessions(void);

#endif /* PROFIL_QUOTA_H */
