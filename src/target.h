/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Targets: the address spaces that are profiled through a descriptor, each by
 * one observer. The table of targets is beside the registry, so an address
 * space may have a session of its own and a target.
 *
 * A target holds the structure of its mm, but no user of it: the program may
 * end at any time, and its memory is not touched. Targets whose program has
 * ended are removed by profil_target_prune().
 */
#ifndef PROFIL_TARGET_H
#define PROFIL_TARGET_H

#include <linux/compiler.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "pointer_table.h"
#include "observer.h"
#include "registry.h"

/**
 * struct target - an address space that an observer profiles
 * @node: in the table
 * @sibling: in @observer->targets, or in @observer->spares until used
 * @age: in the list of all targets, those not looked at for longest first
 * @mm: the address space, by a reference to the structure only
 * @observer: exists while the target is in the table, and for an RCU grace
 *	period after that
 * @follow: children that the program forks become targets, too
 * @rcu: samples and probes read targets without a reference
 */
struct target {
	struct hlist_node node;
	struct list_head sibling;
	struct list_head age;
	struct mm_struct *mm;
	struct observer *observer;
	bool follow;
	struct rcu_head rcu;
};

extern struct pointer_table profil_targets;

/* Guards the table, the ages, and @targets and @spares of each observer. */
extern raw_spinlock_t profil_target_lock;

/* The number of targets; a hint for the clocks. */
extern unsigned int profil_target_count;

static inline bool target_table_empty(void)
{
	return !READ_ONCE(profil_target_count);
}

/* Any context, in an RCU section, which alone keeps the target. */
static inline struct target *target_find(const struct mm_struct *mm)
{
	struct target *target;

	hlist_for_each_entry_rcu(
		target, pointer_table_bucket(&profil_targets, mm, MM_STRIDE),
		node, lockdep_is_held(&profil_target_lock))
		if (target->mm == mm)
			return target;
	return NULL;
}

/*
 * The session that samples @mm through a descriptor, or NULL. Any context, in
 * an RCU section, which alone keeps the session.
 */
static inline struct session *target_session(const struct mm_struct *mm)
{
	struct target *target = target_find(mm);

	return target ? rcu_dereference_check(target->observer->session,
					      irqs_disabled()) :
			NULL;
}

/*
 * Bring the spares of @observer to their full number, unless it is closed.
 * ENOMEM. Sleeps.
 */
int profil_target_reserve(struct observer *observer);

/*
 * Make @mm a target of @observer. ENOMEM; EALREADY when @mm is one already;
 * EBUSY when another observer has it. Sleeps.
 */
int profil_target_add(struct observer *observer, struct mm_struct *mm,
		      bool follow);

/*
 * In the fork of current: make @child a target if current's mm is one whose
 * children are followed. Without a spare the child is counted as unprofiled.
 * Preemption may be off.
 */
void profil_target_fork(struct mm_struct *child);

/*
 * Look at some targets of all observers, those not looked at for longest first,
 * and remove the ones whose program has ended. As this is done when targets are
 * added, ended ones do not accumulate, not even those of idle descriptors. Sleeps.
 */
void profil_target_prune(void);

/*
 * True if all programs that @observer profiles have ended. Removes ended targets
 * up to the first one that runs. Sleeps.
 */
bool profil_target_all_ended(struct observer *observer);

/*
 * Remove all targets and spares of @observer, and have no others added. Sleeps.
 */
void profil_target_remove_all(struct observer *observer);

#endif /* PROFIL_TARGET_H */
