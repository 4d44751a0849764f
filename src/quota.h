/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Quotas: how many sessions a user may have, and memory of tables of processes as sessions;
 * how many may have their counters in one address space; and how many works of a user the
 * workqueue has at a time. A work may wait for the program whose counters it unpins,
 * without an end. Works beyond the number wait in a list of their user.
 */
#ifndef PROFIL_QUOTA_H
#define PROFIL_QUOTA_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

#include "books.h"

/* What one user, or one address space, uses */
struct quota {
	struct hlist_node node; /* in the table of quotas */
	/* the kernel-wide user ID, or the address of the mm_struct */
	unsigned long key;
	refcount_t refs;
	atomic_t sessions; /* sessions that are charged */
	/* a raw one, guards @works and @waiting, of users alone */
	raw_spinlock_t lock;
	unsigned int works; /* works of the user that are in the workqueue */
	struct list_head waiting; /* works that wait for one of these to end */
	/* a fork charges its parent's user without a reference */
	struct rcu_head rcu;
};

/* A work that is counted in a quota. @node: in quota->waiting */
struct quota_work {
	struct work_struct work;
	struct list_head node;
};

/*
 * The workqueue of the module; works without a quota do not wait for programs. That of
 * trees, whose works may reclaim memory of a user's memory cgroup
 */
extern struct workqueue_struct *profil_workqueue;
extern struct workqueue_struct *profil_tree_workqueue;

/*
 * The user that current is accounted as: its real one, or who has made the outermost
 * user namespace of an ordinary user that it is in. Any context.
 */
kuid_t profil_quota_uid(void);

/*
 * The quota of this user, or of current's address space, with a reference; NULL without
 * memory. Sleeps.
 */
struct quota *profil_quota_of_user(void);
struct quota *profil_quota_of_space(void);
void profil_quota_put(struct quota *quota);

/*
 * Charge a session to a user, or to an address space; false at the limit. Any context;
 * with a reference or in an RCU section.
 */
bool profil_quota_charge_user(struct quota *quota);
bool profil_quota_charge_space(struct quota *quota);

/* Undo either. */
static inline void quota_uncharge(struct quota *quota, unsigned int sessions)
{
	atomic_sub(sessions, &quota->sessions);
	book_add(BOOK_CHARGES, -(long)sessions);
}

/* Memory that is charged to a user. @user: with a reference; NULL: nothing is charged */
struct charge {
	struct quota *user;
	unsigned int sessions;
};

/* Charge @bytes to current's user. ENOMEM; EAGAIN at the limit. Sleeps. */
int profil_quota_charge(struct charge *charge, size_t bytes);
void profil_quota_uncharge(struct charge *charge);

/* The most sessions that a user may have */
unsigned int profil_quota_max_sessions(void);

/*
 * Queue @work, which is not queued, for the user of @quota. Its function calls
 * profil_quota_work_done() at its end, with a reference to @quota. Any context.
 */
void profil_quota_queue_work(struct quota *quota, struct quota_work *work);
void profil_quota_work_done(struct quota *quota);

int profil_quota_init(void);

/* Wait for all works, and destroy both workqueues. No session and no table is left. */
void profil_quota_exit(void);

#endif /* PROFIL_QUOTA_H */
