// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>

#include "registry.h"
#include "session.h"

#define REGISTRY_BITS 12

static struct hlist_head buckets[1 << REGISTRY_BITS];
static DEFINE_RAW_SPINLOCK(lock); /* buckets and registry_count */
unsigned int registry_count;

static struct hlist_head *bucket(const struct mm_struct *mm)
{
	return &buckets[hash_ptr(mm, REGISTRY_BITS)];
}

struct session *registry_find(const struct mm_struct *mm)
{
	struct session *session;

	hlist_for_each_entry_rcu(session, bucket(mm), node,
				 lockdep_is_held(&lock))
		if (session->mm == mm)
			return session;
	return NULL;
}

struct session *registry_get(const struct mm_struct *mm)
{
	struct session *session;

	rcu_read_lock();
	session = registry_find(mm);
	if (session && !refcount_inc_not_zero(&session->refs))
		session = NULL;
	rcu_read_unlock();
	return session;
}

struct session *registry_replace(struct session *session)
{
	struct session *old;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	old = registry_find(session->mm);
	if (old) {
		refcount_inc(&old->refs);
		hlist_replace_rcu(&old->node, &session->node);
		/* Its next pointer stays, for those who stand on it. */
		WRITE_ONCE(old->node.pprev, NULL);
	} else {
		hlist_add_head_rcu(&session->node, bucket(session->mm));
		WRITE_ONCE(registry_count, registry_count + 1);
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	return old;
}

void registry_remove(struct session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	if (!hlist_unhashed(&session->node)) {
		hlist_del_init_rcu(&session->node);
		WRITE_ONCE(registry_count, registry_count - 1);
	}
	raw_spin_unlock_irqrestore(&lock, flags);
}
