// SPDX-License-Identifier: GPL-2.0-only
#include <linux/errno.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "quota.h"
#include "session.h"
#include "target.h"

struct pointer_table profil_targets;
DEFINE_RAW_SPINLOCK(profil_target_lock);
unsigned int profil_target_count;

static LIST_HEAD(ages);

/*
 * Spares of an observer whose targets' children are followed. The work refills
 * them when half are used.
 */
#define SPARES 64

/* A memory cgroup at its limit delays the work for one attempt to reclaim. */
static struct target *alloc_target(struct observer *observer)
{
	struct mem_cgroup *old = set_active_memcg(observer->memcg);
	struct target *target =
		kzalloc(sizeof(*target), GFP_KERNEL_ACCOUNT | __GFP_NORETRY);

	set_active_memcg(old);
	if (target)
		target->observer = observer;
	return target;
}

/* False if @observer is closed. */
static bool add_spare(struct observer *observer, struct target *target)
{
	bool closed;

	raw_spin_lock_irq(&profil_target_lock);
	closed = observer->closed;
	if (!closed) {
		list_add(&target->sibling, &observer->spares);
		WRITE_ONCE(observer->nr_spares, observer->nr_spares + 1);
	}
	raw_spin_unlock_irq(&profil_target_lock);
	return !closed;
}

int profil_target_reserve(struct observer *observer)
{
	while (READ_ONCE(observer->nr_spares) < SPARES) {
		struct target *target = alloc_target(observer);

		if (!target)
			return -ENOMEM;
		if (!add_spare(observer, target)) {
			kfree(target);
			break;
		}
	}
	return 0;
}

static struct target *first_of(struct list_head *targets)
{
	return list_first_entry_or_null(targets, struct target, sibling);
}

static struct target *take_spare(struct observer *observer)
{
	struct target *target = first_of(&observer->spares);

	lockdep_assert_held(&profil_target_lock);
	if (!target)
		return NULL;
	list_del(&target->sibling);
	WRITE_ONCE(observer->nr_spares, observer->nr_spares - 1);
	return target;
}

static void insert(struct target *target, struct mm_struct *mm, bool follow)
{
	lockdep_assert_held(&profil_target_lock);
	mmgrab(mm);
	target->mm = mm;
	target->follow = follow;
	list_add_tail(&target->sibling, &target->observer->targets);
	list_add_tail(&target->age, &ages);
	hlist_add_head_rcu(&target->node, pointer_table_bucket(&profil_targets,
							       mm, MM_STRIDE));
	WRITE_ONCE(profil_target_count, profil_target_count + 1);
}

static int insert_new(struct target *target, struct mm_struct *mm, bool follow)
{
	struct target *present = target_find(mm);

	if (present)
		return present->observer == target->observer ? -EALREADY :
							       -EBUSY;
	insert(target, mm, follow);
	return 0;
}

int profil_target_add(struct observer *observer, struct mm_struct *mm,
		      bool follow)
{
	struct target *target = alloc_target(observer);
	int err;

	if (!target)
		return -ENOMEM;
	raw_spin_lock_irq(&profil_target_lock);
	err = insert_new(target, mm, follow);
	raw_spin_unlock_irq(&profil_target_lock);
	if (err)
		kfree(target);
	return err;
}

static void count_unprofiled(const struct observer *observer)
{
	struct session *session =
		rcu_dereference_check(observer->session, irqs_disabled());

	if (session)
		atomic64_inc(&session->tally.unprofiled_children);
}

/*
 * The work is queued under the lock: profil_target_remove_all() excludes it
 * from then on, and profil_observer_release() cancels it.
 */
static void follow(struct observer *observer, struct mm_struct *child)
{
	struct target *target;

	if (observer->closed)
		return;
	target = take_spare(observer);
	if (target)
		insert(target, child, true);
	else
		count_unprofiled(observer);
	if (observer->nr_spares < SPARES / 2)
		queue_work(profil_workqueue, &observer->refill_work);
}

/* Forks of other programs do not wait for the lock. */
static bool follows_children(const struct mm_struct *mm)
{
	struct target *target;
	bool follows;

	if (target_table_empty())
		return false;
	rcu_read_lock();
	target = target_find(mm);
	follows = target && target->follow;
	rcu_read_unlock();
	return follows;
}

void profil_target_fork(struct mm_struct *child)
{
	struct target *parent;
	unsigned long flags;

	if (!follows_children(current->mm))
		return;
	raw_spin_lock_irqsave(&profil_target_lock, flags);
	parent = target_find(current->mm);
	if (parent && parent->follow)
		follow(parent->observer, child);
	raw_spin_unlock_irqrestore(&profil_target_lock, flags);
}

static void take_out(struct target *target, struct list_head *removed)
{
	lockdep_assert_held(&profil_target_lock);
	hlist_del_rcu(&target->node);
	WRITE_ONCE(profil_target_count, profil_target_count - 1);
	list_del(&target->age);
	list_move(&target->sibling, removed);
}

static void free_targets(struct list_head *removed)
{
	struct target *target, *next;

	list_for_each_entry_safe(target, next, removed, sibling) {
		if (target->mm)
			mmdrop(target->mm);
		kfree_rcu(target, rcu);
		cond_resched();
	}
}

static bool has_ended(const struct target *target)
{
	return !atomic_read(&target->mm->mm_users);
}

/* Targets that are looked at in one section of the lock, and such sections */
#define PRUNED 32
#define PRUNE_SECTIONS (2 * SPARES / PRUNED)

static void prune_some(struct list_head *removed)
{
	struct target *target;
	unsigned int nr;

	raw_spin_lock_irq(&profil_target_lock);
	for (nr = PRUNED; nr && !list_empty(&ages); nr--) {
		target = list_first_entry(&ages, struct target, age);
		if (has_ended(target))
			take_out(target, removed);
		else
			list_move_tail(&target->age, &ages);
	}
	raw_spin_unlock_irq(&profil_target_lock);
}

/*
 * A work adds up to SPARES targets. Twice as many are looked at, because some of
 * them run, and stay.
 */
void profil_target_prune(void)
{
	unsigned int nr;
	LIST_HEAD(removed);

	for (nr = PRUNE_SECTIONS; nr; nr--)
		prune_some(&removed);
	free_targets(&removed);
}

/* A target that runs is the next one to be looked at. */
bool profil_target_all_ended(struct observer *observer)
{
	struct target *target;
	LIST_HEAD(removed);

	raw_spin_lock_irq(&profil_target_lock);
	while ((target = first_of(&observer->targets)) && has_ended(target)) {
		take_out(target, &removed);
		raw_spin_unlock_irq(&profil_target_lock);
		cond_resched();
		raw_spin_lock_irq(&profil_target_lock);
	}
	raw_spin_unlock_irq(&profil_target_lock);
	free_targets(&removed);
	return !target;
}

/* The lock is dropped after each target: there may be very many. */
void profil_target_remove_all(struct observer *observer)
{
	struct target *target;
	LIST_HEAD(removed);

	raw_spin_lock_irq(&profil_target_lock);
	observer->closed = true;
	list_splice_init(&observer->spares, &removed);
	observer->nr_spares = 0;
	while ((target = first_of(&observer->targets))) {
		take_out(target, &removed);
		raw_spin_unlock_irq(&profil_target_lock);
		cond_resched();
		raw_spin_lock_irq(&profil_target_lock);
	}
	raw_spin_unlock_irq(&profil_target_lock);
	free_targets(&removed);
}
