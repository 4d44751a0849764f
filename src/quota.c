// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cred.h>
#include <linux/hashtable.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>

#include "quota.h"

/* START makes a session before it ends the one that runs: two for a space at least. */
static unsigned int max_sessions = 4096;
module_param(max_sessions, uint, 0644);
MODULE_PARM_DESC(max_sessions,
		 "sessions of a user; a 64th of them in one address space");

#define SPACE_PART 64
#define SPACE_MIN 2U

static DEFINE_HASHTABLE(quotas, 12);
static DEFINE_SPINLOCK(quotas_lock); /* guards quotas */

/* Get the quota with @key, or add @fresh, if not NULL. One without references is skipped. */
static struct quota *quota_get_or_add(unsigned long key, struct quota *fresh)
{
	struct quota *quota;

	spin_lock(&quotas_lock);
	hash_for_each_possible(quotas, quota, node, key)
		if (quota->key == key && refcount_inc_not_zero(&quota->refs))
			break;
	if (!quota && fresh) {
		hash_add(quotas, &fresh->node, key);
		quota = fresh;
	}
	spin_unlock(&quotas_lock);
	book_add(BOOK_QUOTAS, !!quota);
	return quota;
}

static struct quota *quota_get(unsigned long key)
{
	struct quota *quota = quota_get_or_add(key, NULL), *fresh;

	if (quota)
		return quota;
	fresh = kzalloc(sizeof(*fresh), GFP_KERNEL_ACCOUNT);
	if (!fresh)
		return NULL;
	fresh->key = key;
	refcount_set(&fresh->refs, 1);
	raw_spin_lock_init(&fresh->works.lock);
	INIT_LIST_HEAD(&fresh->works.waiting);
	quota = quota_get_or_add(key, fresh);
	if (quota != fresh)
		kfree(fresh);
	return quota;
}

/*
 * A user who makes a user namespace gets the IDs of many users there: these count as who
 * made the outermost one. Those that root has made for containers count for themselves.
 */
kuid_t profil_quota_uid(void)
{
	/* A file system may override the other credentials of a task. */
	const struct cred *cred = current_real_cred();
	const struct user_namespace *ns = cred->user_ns;
	kuid_t uid = cred->uid;

	for (; ns; ns = ns->parent)
		if (!uid_eq(ns->owner, GLOBAL_ROOT_UID))
			uid = ns->owner;
	return uid;
}

struct quota *profil_quota_of_user(void)
{
	return quota_get(__kuid_val(profil_quota_uid()));
}

void profil_quota_put(struct quota *quota)
{
	book_add(BOOK_QUOTAS, -1);
	if (!refcount_dec_and_test(&quota->refs))
		return;
	spin_lock(&quotas_lock);
	hash_del(&quota->node);
	spin_unlock(&quotas_lock);
	kfree_rcu(quota, rcu);
}

static bool quota_try(struct quota *quota, unsigned int sessions,
		      unsigned int limit)
{
	int old = atomic_read(&quota->sessions);

	do {
		if (old >= limit || sessions > limit - old)
			return false;
	} while (!atomic_try_cmpxchg(&quota->sessions, &old, old + sessions));
	book_add(BOOK_CHARGES, sessions);
	return true;
}

unsigned int profil_quota_max_sessions(void)
{
	return READ_ONCE(max_sessions);
}

bool profil_quota_charge_user(struct quota *quota)
{
	return quota_try(quota, 1, profil_quota_max_sessions());
}

/* Bytes that are charged as a session is */
#define SESSION_BYTES SZ_256K

/* Takes over the reference to @quota, which may be NULL. */
static int charge_to(struct quota *quota, struct charge *charged,
		     unsigned int sessions, unsigned int limit)
{
	if (!quota)
		return -ENOMEM;
	if (!quota_try(quota, sessions, limit)) {
		profil_quota_put(quota);
		return -EAGAIN;
	}
	*charged = (struct charge){ quota, sessions };
	return 0;
}

int profil_quota_charge(struct charge *charged, size_t bytes)
{
	return charge_to(profil_quota_of_user(), charged,
			 DIV_ROUND_UP(bytes, SESSION_BYTES),
			 profil_quota_max_sessions());
}

/* The address of a structure in the kernel is no user ID: these have 32 bits. */
int profil_quota_charge_space(struct charge *charged)
{
	return charge_to(quota_get((unsigned long)current->mm), charged, 1,
			 max(profil_quota_max_sessions() / SPACE_PART,
			     SPACE_MIN));
}

void profil_quota_uncharge(struct charge *charged)
{
	if (!charged->quota)
		return;
	quota_uncharge(charged->quota, charged->sessions);
	profil_quota_put(charged->quota);
	charged->quota = NULL;
}
