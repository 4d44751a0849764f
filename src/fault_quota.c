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

#include "fault_quota.h"

/*
 * At most half of the workqueue may fault in user pages: a fault on FUSE or NFS
 * may never finish, and sessions must still be able to end and to unpin pages.
 * The kernel may divide the places of an unbound workqueue among the NUMA nodes
 * by their CPUs, and programs choose their node: hence half of one node's
 * places.
 */
#define MAX_FAULTS (WQ_MAX_ACTIVE / 2 / num_online_nodes())

/**
 * struct fault_quota - the quota of one user with sessions
 * @node: in quotas
 * @uid: kernel-wide user id. Constant
 * @faults: works that may be faulting in memory of this user
 * @refs: references
 */
struct fault_quota {
	struct hlist_node node;
	kuid_t uid;
	atomic_t faults;
	refcount_t refs;
};

static HLIST_HEAD(quotas);
static DEFINE_SPINLOCK(quotas_lock); /* guards quotas */
static atomic_t all_faults;

static struct fault_quota *get_by_uid(kuid_t uid)
{
	struct fault_quota *quota;

	hlist_for_each_entry(quota, &quotas, node)
		if (uid_eq(quota->uid, uid) &&
		    refcount_inc_not_zero(&quota->refs))
			return quota;
	return NULL;
}

/* Get the quota of @uid; if there is none, add @fresh, which may be NULL. */
static struct fault_quota *get_or_add(kuid_t uid, struct fault_quota *fresh)
{
	struct fault_quota *quota;

	spin_lock(&quotas_lock);
	quota = get_by_uid(uid);
	if (!quota && fresh) {
		hlist_add_head(&fresh->node, &quotas);
		quota = fresh;
	}
	spin_unlock(&quotas_lock);
	return quota;
}

struct fault_quota *profil_fault_quota_get(void)
{
	kuid_t uid = current_uid();
	struct fault_quota *quota = get_or_add(uid, NULL), *fresh;

	if (quota)
		return quota;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return NULL;
	fresh->uid = uid;
	refcount_set(&fresh->refs, 1);
	quota = get_or_add(uid, fresh);
	if (quota != fresh)
		kfree(fresh);
	return quota;
}

/* get_by_uid() skips a quota whose last reference has been dropped. */
void profil_fault_quota_put(struct fault_quota *quota)
{
	if (!refcount_dec_and_test(&quota->refs))
		return;
	spin_lock(&quotas_lock);
	hlist_del(&quota->node);
	spin_unlock(&quotas_lock);
	kfree(quota);
}

/*
 * Works whose faults finish soon are at most as many as the CPUs, and a few
 * more that wait for mmap_lock. This bound is above that, so that the programs
 * of one user, such as a parallel build, lose no samples.
 */
static int max_faults_of_user(void)
{
	return min_t(int, 16 + 2 * num_online_cpus(), MAX_FAULTS / 4);
}

bool profil_fault_quota_enter(struct fault_quota *quota)
{
	if (!atomic_add_unless(&quota->faults, 1, max_faults_of_user()))
		return false;
	if (atomic_add_unless(&all_faults, 1, MAX_FAULTS))
		return true;
	atomic_dec(&quota->faults);
	return false;
}

void profil_fault_quota_leave(struct fault_quota *quota)
{
	atomic_dec(&all_faults);
	atomic_dec(&quota->faults);
}
