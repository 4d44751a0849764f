/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Works: the workqueues of the module, and how many works of a user one has at a time. A
 * work may wait for the program whose counters it unpins, without an end.
 */
#ifndef PROFIL_WORKS_H
#define PROFIL_WORKS_H

#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* Works of one user; part of its quota */
struct works {
	raw_spinlock_t lock; /* guards the rest */
	unsigned int nr; /* those in the workqueue */
	struct list_head waiting; /* those that wait for one of these to end */
};

/* A work of a user. @node: in works->waiting */
struct user_work {
	struct work_struct work;
	struct list_head node;
};

/*
 * The workqueue of the module; works of no user do not wait for programs. That of trees,
 * whose works may reclaim memory of a user's memory cgroup
 */
extern struct workqueue_struct *profil_workqueue;
extern struct workqueue_struct *profil_tree_workqueue;

/*
 * Queue @work, which is not queued, for the user of @works. Its function calls
 * profil_works_done() at its end, with a reference to the quota. Any context.
 */
void profil_works_queue(struct works *works, struct user_work *work);
void profil_works_done(struct works *works);

int profil_works_init(void);

/* Wait for all works, and destroy both workqueues. No session and no table is left. */
void profil_works_exit(void);

#endif /* PROFIL_WORKS_H */
