// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include <asm/irq_regs.h>
#include <asm/syscall.h>

#include "clock.h"
#include "compat.h"
#include "deferred.h"
#include "sample.h"
#include "table_sample.h"
#include "tree.h"
#include "walk.h"

static __always_inline u64 part_of_name(size_t at)
{
	u64 part;

	/* data race: one that the task is changing is another name. */
	data_race(memcpy(&part, current->comm + at, sizeof(part)));
	return part;
}

static __always_inline void identify_process(struct identity *identity)
{
	identity->mm = current->mm;
	identity->exec_id = current->self_exec_id;
	identity->start_time = current->group_leader->start_time;
	identity->cgroup =
		cgroup_id(task_css_set_check(current, true)->dfl_cgrp);
	identity->thread_begin = 0;
	identity->thread_end = 0;
}

/* The kernel pads names. */
static __always_inline void identify(struct identity *identity,
				     const struct table *table)
{
	identify_process(identity);
	if (!(table->flags & PROFIL_TABLE_THREADS))
		return;
	identity->thread_begin = part_of_name(0);
	identity->thread_end = part_of_name(sizeof(u64));
}

static __always_inline void
add_hit(struct half *half, const struct text_range *range, u64 pc, u64 mode)
{
	half_add_kernel(half, range->mapped.text, mode, 1);
	mode &= PROFIL_KEY_KERNEL;
	if (likely(half_add(half, mapped_key(&range->mapped, pc) | mode, 1)))
		half_count(half, OUTCOME_HITS, 1);
	else
		half_count(half, OUTCOME_FULL, 1);
}

static void count_full(struct half *half, u64 mode)
{
	half_count(half, OUTCOME_FULL, 1);
	half_add_kernel(half, HALF_NO_TEXT, mode, 1);
}

/* Will current be in user mode soon? It is there, or in an interrupt or a fault. */
static bool is_soon_in_user_mode(struct pt_regs *regs, u64 mode)
{
	return !mode || syscall_get_nr(current, regs) == -1;
}

/* A sample with its callers. @regs: those of user mode */
static noinline void sample_stack(struct table *table, struct half *half,
				  struct pt_regs *regs, u64 mode, bool checked)
{
	struct user_regs user = user_regs_of(regs);
	enum walked walked = WALK_LONG;
	struct identity identity;
	u64 missing;

	user.is_used = !is_soon_in_user_mode(regs, mode);
	identify(&identity, table);
	if (checked)
		walked = profil_walk(table, half, &identity, &user, mode, 1,
				     WALK_MAX_NEW, &missing);
	if (walked == WALK_COUNTED)
		half_count(half, OUTCOME_HITS, 1);
	else if (walked == WALK_FULL)
		count_full(half, mode);
	else
		profil_deferred_add(table, half, &identity, &user, mode);
}

/* Tables whose samples need more than the range of a process */
#define SLOW_FLAGS (PROFIL_TABLE_THREADS | PROFIL_TABLE_CALLERS)

/* A sample without a known key, or by thread; apart, as it needs an identity in memory */
static noinline void sample_slowly(struct table *table, struct half *half,
				   struct pt_regs *regs, u64 mode, bool checked)
{
	struct user_regs user = { .pc = instruction_pointer(regs) };
	const struct text_range *range;
	struct identity identity;

	identify(&identity, table);
	range = range_find(&half->cache, &identity, user.pc, true);
	if (range && range_is_valid(range) && checked)
		add_hit(half, range, user.pc, mode);
	else
		profil_deferred_add(table, half, &identity, &user, mode);
}

/*
 * Is the program that current executes one that a look-up for @member, NULL if there is
 * none, has checked, or need not check?
 */
static __always_inline bool is_checked(const struct member *member)
{
	return !member || member->tree->sees_all ||
	       (rcu_access_pointer(current->real_cred) ==
			READ_ONCE(member->checked) &&
		compat_dumpable());
}

static __always_inline void sample_program(struct table *table,
					   struct half *half,
					   const struct member *member,
					   struct pt_regs *regs, u64 mode)
{
	u64 pc = instruction_pointer(regs);
	bool checked = is_checked(member);
	const struct text_range *range;
	struct identity identity;

	if (unlikely(!checked || table->flags & SLOW_FLAGS)) {
		if (table->flags & PROFIL_TABLE_CALLERS)
			sample_stack(table, half, regs, mode, checked);
		else
			sample_slowly(table, half, regs, mode, checked);
		return;
	}
	identify_process(&identity);
	range = range_find(&half->cache, &identity, pc, false);
	if (likely(range && range_is_valid(range)))
		add_hit(half, range, pc, mode);
	else
		sample_slowly(table, half, regs, mode, true);
}

static bool is_idle(void)
{
	/* data race: the interrupted task may be changing other flags. */
	return data_race(is_idle_task(current));
}

/* An mm is not complete in execve(), and gone in an exit. */
static noinline void sample_kernel_mode(struct table *table, struct half *half,
					const struct member *member,
					struct pt_regs *regs)
{
	/* data race: the interrupted task may be changing bits beside it. */
	bool in_execve = data_race(!!current->in_execve);
	u64 mode = PROFIL_KEY_KERNEL;
	enum outcome outcome;

	if (is_idle()) {
		half_count(half, OUTCOME_IDLE, 1);
		return;
	}
	if (table->flags & PROFIL_TABLE_KERNEL_PCS)
		mode = table_kernel_key(instruction_pointer(regs));
	if (!sample_has_user_mode(current)) {
		outcome = OUTCOME_KERNEL_THREADS;
	} else if (!current->mm) {
		outcome = OUTCOME_EXITING;
	} else if (in_execve) {
		outcome = OUTCOME_STARTING;
	} else {
		sample_program(table, half, member, task_pt_regs(current),
			       mode);
		return;
	}
	half_count(half, outcome, 1);
	half_add_kernel(half, HALF_NO_TEXT, mode, 1);
}

static bool is_filtered(const struct table *table)
{
	bool is_inside;

	if (is_idle())
		return false;
	rcu_read_lock();
	is_inside = task_under_cgroup_hierarchy(current, table->cgroup);
	rcu_read_unlock();
	return !is_inside;
}

/* @member: of a tree, that of current. Interrupts are off: an RCU section. */
static __always_inline void sample(struct table *table,
				   const struct member *member)
{
	struct half *half = rcu_dereference_raw(table->half);
	struct pt_regs *regs = get_irq_regs();

	if (!regs)
		return;
	half_count(half, OUTCOME_TICKS, 1);
	if (unlikely(table->cgroup) && is_filtered(table))
		half_count(half, OUTCOME_FILTERED, 1);
	else if (likely(user_mode(regs)))
		sample_program(table, half, member, regs, 0);
	else
		sample_kernel_mode(table, half, member, regs);
}

void profil_tables_tick(void)
{
	struct table *table;

	list_for_each_entry_rcu(table, &profil_tables, node, true)
		if (likely(clock_tick_serves(table->period_ns)))
			sample(table, NULL);
}

static __always_inline bool awaits_exec(const struct member *member)
{
	return member->unsampled_exec == current->self_exec_id;
}

static __always_inline void sample_member(const struct member *member)
{
	struct table *table = container_of(member->tree, struct table, tree);

	if (likely(clock_tick_serves(table->period_ns) && !awaits_exec(member)))
		sample(table, member);
}

void profil_members_tick(void)
{
	const struct pid *process = task_tgid(current);
	const struct member *member;

	hlist_for_each_entry_rcu(member, member_bucket(process), node, true)
		if (member->process == process && sample_has_user_mode(current))
			sample_member(member);
}

/* exec comes without a switch: the timer stays armed until then. */
static bool sample_in_tree(struct table *table)
{
	const struct member *member =
		member_find(&table->tree, task_tgid(current));

	if (!member || !sample_has_user_mode(current))
		return false;
	if (!awaits_exec(member))
		sample(table, member);
	return true;
}

bool profil_table_sample(struct table *table)
{
	if (table->flags & PROFIL_TABLE_TREE)
		return sample_in_tree(table);
	if (is_idle())
		return false;
	sample(table, NULL);
	return true;
}
