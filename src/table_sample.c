// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cgroup.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/string.h>

#include <asm/irq_regs.h>

#include "clock.h"
#include "half.h"
#include "sample.h"
#include "space.h"
#include "symbol.h"
#include "table.h"
#include "tree.h"

static __always_inline u64 part_of_name(size_t at)
{
	u64 part;

	/* data race: one that the task is changing is another name. */
	data_race(memcpy(&part, current->comm + at, sizeof(part)));
	return part;
}

static __always_inline void identify(struct identity *identity,
				     const struct table *table)
{
	identity->mm = current->mm;
	identity->exec_id = current->self_exec_id;
	identity->start_time = current->group_leader->start_time;
	identity->cgroup =
		cgroup_id(task_css_set_check(current, true)->dfl_cgrp);
	identity->thread_begin = 0;
	identity->thread_end = 0;
	if (likely(!(table->flags & PROFIL_TABLE_THREADS)))
		return;
	/* The kernel pads names. */
	identity->thread_begin = part_of_name(0);
	identity->thread_end = part_of_name(sizeof(u64));
}

/* Apart from samples whose key is known, which need no identity in memory */
static noinline void defer(struct table *table, struct half *half, u64 pc,
			   bool kernel)
{
	struct identity identity;

	identify(&identity, table);
	profil_sample_defer(table, half, &identity, pc, kernel);
}

static __always_inline void
sample_program(struct table *table, struct half *half, u64 pc, bool kernel)
{
	struct identity identity;
	u64 key;

	identify(&identity, table);
	key = space_key(half->sets, &identity, pc);
	if (unlikely(!key))
		defer(table, half, pc, kernel);
	else if (likely(half_add(half, key | (kernel ? PROFIL_KEY_KERNEL : 0),
				 1)))
		half_count(half, OUTCOME_HITS, 1);
	else
		half_count(half, OUTCOME_FULL, 1);
}

static bool is_idle(void)
{
	/* data race: the interrupted task may be changing other flags. */
	return data_race(is_idle_task(current));
}

static void sample_kernel_pc(struct half *half, struct pt_regs *regs)
{
	u64 key = symbol_key(instruction_pointer(regs));

	half_count(half,
		   half_add(half, key, 1) ? OUTCOME_KERNEL_PCS :
					    OUTCOME_KERNEL_FULL,
		   1);
}

/*
 * In its execve() a program has an mm whose mappings are not complete, and in its
 * exit none.
 */
static noinline void sample_kernel_mode(struct table *table, struct half *half,
					struct pt_regs *regs)
{
	if (is_idle()) {
		half_count(half, OUTCOME_IDLE, 1);
		return;
	}
	if (table->flags & PROFIL_TABLE_KERNEL_PCS)
		sample_kernel_pc(half, regs);
	if (!sample_has_user_mode(current))
		half_count(half, OUTCOME_KERNEL_THREADS, 1);
	else if (!current->mm)
		half_count(half, OUTCOME_EXITING, 1);
	/* data race: the interrupted task may be changing bits beside it. */
	else if (data_race(!!current->in_execve))
		half_count(half, OUTCOME_STARTING, 1);
	else
		sample_program(table, half,
			       instruction_pointer(task_pt_regs(current)),
			       true);
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

/* Interrupts are off: an RCU section. */
static __always_inline void sample(struct table *table)
{
	struct half *half = rcu_dereference_raw(table->half);
	struct pt_regs *regs = get_irq_regs();

	if (!regs)
		return;
	half_count(half, OUTCOME_TICKS, 1);
	if (unlikely(table->cgroup) && is_filtered(table))
		half_count(half, OUTCOME_FILTERED, 1);
	else if (likely(user_mode(regs)))
		sample_program(table, half, instruction_pointer(regs), false);
	else
		sample_kernel_mode(table, half, regs);
}

void profil_tables_tick(void)
{
	struct table *table;

	list_for_each_entry_rcu(table, &profil_tables, node, true)
		if (likely(clock_tick_serves(table->period_ns)))
			sample(table);
}

static __always_inline bool awaits_exec(const struct member *member)
{
	return member->unsampled_exec == current->self_exec_id;
}

static __always_inline void sample_member(const struct member *member)
{
	struct table *table = container_of(member->tree, struct table, tree);

	if (likely(clock_tick_serves(table->period_ns) && !awaits_exec(member)))
		sample(table);
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
		sample(table);
	return true;
}

bool profil_table_sample(struct table *table)
{
	if (table->flags & PROFIL_TABLE_TREE)
		return sample_in_tree(table);
	if (is_idle())
		return false;
	sample(table);
	return true;
}
