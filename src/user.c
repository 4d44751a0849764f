// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/nodemask.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

#include "user.h"

/*
 * Works of all users that may fault at the same time: they leave half of the
 * workqueue to works that do not fault, so that sessions end and pages are
 * unpinned whatever some programs wait for. The kernel may divide the places of
 * an unbound workqueue among the NUMA nodes by their CPUs, and programs choose
 * the node: so it is half of a node's places.
 */
#define MAX_FAULTS (WQ_MAX_ACTIVE / 2 / num_online_nodes())

/**
 * struct user - one user who has sessions
 * @node: in users
 * @uid: kernel-wide user id. Constant
 * @faults: works that may be waiting for memory of this user
 * @refs: references
 */
struct user {
	struct hlist_node node;
	kuid_t uid;
	atomic_t faults;
	refcount_t refs;
};

static HLIST_HEAD(users);
static DEFINE_SPINLOCK(users_lock); /* guards users */
static atomic_t all_faults;

static struct user *find(kuid_t uid)
{
	struct user *user;

	hlist_for_each_entry(user, &users, node)
		if (uid_eq(user->uid, uid) &&
		    refcount_inc_not_zero(&user->refs))
			return user;
	return NULL;
}

/* The user of @uid, or @fresh as such. */
static struct user *find_or_add(kuid_t uid, struct user *fresh)
{
	struct user *user;

	spin_lock(&users_lock);
	user = find(uid);
	if (!user && fresh) {
		hlist_add_head(&fresh->node, &users);
		user = fresh;
	}
	spin_unlock(&users_lock);
	return user;
}

struct user *profil_user_get(void)
{
	kuid_t uid = current_uid();
	struct user *user = find_or_add(uid, NULL), *fresh;

	if (user)
		return user;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return NULL;
	fresh->uid = uid;
	refcount_set(&fresh->refs, 1);
	user = find_or_add(uid, fresh);
	if (user != fresh)
		kfree(fresh);
	return user;
}

/* find() passes over a user whose last reference is gone. */
void profil_user_put(struct user *user)
{
	if (!refcount_dec_and_test(&user->refs))
		return;
	spin_lock(&users_lock);
	hlist_del(&user->node);
	spin_unlock(&users_lock);
	kfree(user);
}

/*
 * Works that do not wait for long are no more than the CPUs, or a few more while
 * some wait for mmap_lock: the programs of one user, such as a parallel build,
 * then lose nothing.
 */
static int max_faults_of_user(void)
{
	return min_t(int, 16 + 2 * num_online_cpus(), MAX_FAULTS / 4);
}

bool profil_user_fault_begin(struct user *user)
{
	if (!atomic_add_unless(&user->faults, 1, max_faults_of_user()))
		return false;
	if (atomic_add_unless(&all_faults, 1, MAX_FAULTS))
		return true;
	atomic_dec(&user->faults);
	return false;
}

void profil_user_fault_end(struct user *user)
{
	atomic_dec(&all_faults);
	atomic_dec(&user->faults);
}
