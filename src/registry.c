// SPDX-License-Identifier: GPL-2.0-only
#include "registry.h"

struct pointer_table profil_registry;
DEFINE_RAW_SPINLOCK(profil_registry_lock);
unsigned int profil_registry_count;
u64 profil_timed_spaces[1 << TIMED_BITS];

static void registry_count_timed(const struct session *session, u64 nr)
{
	lockdep_assert_held(&profil_registry_lock);
	if (session->config->is_timed)
		timed_add(registry_timed(session->mm), nr);
}

void profil_registry_time_all(bool more)
{
	unsigned int i;

	raw_spin_lock_irq(&profil_registry_lock);
	for (i = 0; i < ARRAY_SIZE(profil_timed_spaces); i++)
		timed_add(&profil_timed_spaces[i],
			  more ? TIMED_TABLE : -TIMED_TABLE);
	raw_spin_unlock_irq(&profil_registry_lock);
}

struct session *profil_registry_get(const struct mm_struct *mm)
{
	struct session *session;

	rcu_read_lock();
	session = registry_find(mm);
	if (session && !refcount_inc_not_zero(&session->refs))
		session = NULL;
	rcu_read_unlock();
	return session;
}

struct session *profil_registry_replace(struct session *session)
{
	struct session *old;
	unsigned long flags;

	raw_spin_lock_irqsave(&profil_registry_lock, flags);
	old = registry_find(session->mm);
	registry_count_timed(session, TIMED_SESSION);
	if (old) {
		registry_count_timed(old, -TIMED_SESSION);
		refcount_inc(&old->refs);
		hlist_replace_rcu(&old->node, &session->node);
		/* Keep ->next: RCU readers may still be on this node. */
		WRITE_ONCE(old->node.pprev, NULL);
	} else {
		hlist_add_head_rcu(&session->node,
				   registry_bucket(session->mm));
		WRITE_ONCE(profil_registry_count, profil_registry_count + 1);
	}
	raw_spin_unlock_irqrestore(&profil_registry_lock, flags);
	return old;
}

void profil_registry_remove(struct session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&profil_registry_lock, flags);
	if (!hlist_unhashed(&session->node)) {
		hlist_del_init_rcu(&session->node);
		registry_count_timed(session, -TIMED_SESSION);
		WRITE_ONCE(profil_registry_count, profil_registry_count - 1);
	}
	raw_spin_unlock_irqrestore(&profil_registry_lock, flags);
}
