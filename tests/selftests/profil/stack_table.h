/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables with callers, of children that execute the code of stacks.h
 */
#ifndef PROFIL_TEST_STACK_TABLE_H
#define PROFIL_TEST_STACK_TABLE_H

#include "one_table.h"
#include "stacks.h"

/* Loops of a call: some 100 us */
#define LOOPS 100000

/* A table of a tree with callers, without its samples so far, that has the rows */
static inline struct table *begin_stacks(one_table_data *self, __u32 flags)
{
	struct profil_row rows[ROWS_MAX];
	pid_t pid = child_that_spins(4);
	struct profil_table args = table_args(flags, FAST_NS);
	struct table *table;

	args.flags |= PROFIL_TABLE_TREE | PROFIL_TABLE_CALLERS;
	args.counters_log2 = 16;
	table = begin_with(self, args);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	ASSERT_OK(stack_load(table, rows, stack_rows(rows)));
	kill_child(pid);
	take(table, 0);
	take(table, 0);
	return table;
}

/* Samples in the half that is in use now */
static inline __u64 counted_now(const struct table *table)
{
	const volatile struct profil_counter *half =
		table->counters + !table->taken.half * table->nr;
	__u64 sum = 0;

	for (size_t i = 0; i < table->nr; i++)
		if (PROFIL_KEY_KIND(half[i].key) == PROFIL_KIND_TEXT)
			sum += half[i].count;
	return sum;
}

/* @body runs in a child until @least hits have been counted. */
static inline void run_for(struct table *table,
			   int (*body)(unsigned long argument),
			   unsigned long argument, __u64 least)
{
	pid_t pid = child_that_waits(body, argument);
	__u64 before = table->sum.walk_base;

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(counted_now(table) >= least,
			       sleep_ns(20 * NSEC_PER_MSEC)));
	kill_child(pid);
	take(table, 0);
	TH_LOG("%llu to the base, %llu later, %llu shortened, %llu no rows",
	       table->sum.walk_base - before, table->sum.walk_deferred,
	       table->sum.walk_shortened, table->sum.walk_no_rows);
}

#endif /* PROFIL_TEST_STACK_TABLE_H */
