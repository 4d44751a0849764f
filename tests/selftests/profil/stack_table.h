/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables with callers, of children that execute the code of stacks.h
 */
#ifndef PROFIL_TEST_STACK_TABLE_H
#define PROFIL_TEST_STACK_TABLE_H

#include "one_table.h"
#include "stacks.h"

/* Room for all stacks of a test */
#define STACK_LOG2 16

/* Loops of a call: some 100 us */
#define LOOPS 100000

/*
 * A table of a tree with callers, without its samples so far, that has the rows and 2^@log2
 * counters
 */
static inline struct table *begin_stacks(one_table_data *self, __u32 flags,
					 __u32 log2)
{
	struct profil_row rows[ROWS_MAX];
	pid_t pid = child_that_spins(4);
	struct profil_table args = table_args(flags, FAST_NS);
	struct table *table;

	args.flags |= PROFIL_TABLE_TREE | PROFIL_TABLE_CALLERS;
	args.counters_log2 = log2;
	table = begin_with(self, args);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	ASSERT_OK(stack_load(table, rows, stack_rows(rows)));
	kill_child(pid);
	take(table, 0);
	take(table, 0);
	return table;
}

/* The samples of counters of half @nr whose keys have @value in the bits of @mask */
static inline __u64 counted_in(const struct table *table, __u32 nr, __u64 mask,
			       __u64 value)
{
	const volatile struct profil_counter *half =
		table->counters + nr * table->nr;
	__u64 sum = 0;

	for (size_t i = 0; i < table->nr; i++)
		if ((half[i].key & mask) == value)
			sum += half[i].count;
	return sum;
}

/* As counted_in(), of the half that is in use now */
static inline __u64 counted_now(const struct table *table, __u64 mask,
				__u64 value)
{
	return counted_in(table, !table->taken.half, mask, value);
}

#define KIND_MASK ((__u64)3 << 62)

static inline __u64 counted_in_user_mode(const struct table *table)
{
	return counted_now(table, KIND_MASK | PROFIL_KEY_KERNEL,
			   (__u64)PROFIL_KIND_TEXT << 62);
}

/*
 * @body runs in a child until @least samples of it in user mode have been counted. Where the
 * host is busy, the child begins with many in page faults.
 */
static inline void run_for(struct table *table,
			   int (*body)(unsigned long argument),
			   unsigned long argument, __u64 least)
{
	pid_t pid = child_that_waits(body, argument);
	__u64 before = table->sum.walk_base;

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(counted_in_user_mode(table) >= least,
			       sleep_ns(20 * NSEC_PER_MSEC)));
	kill_child(pid);
	take(table, 0);
	TH_LOG("%llu to the base, %llu later, %llu shortened, %llu no rows",
	       table->sum.walk_base - before, table->sum.walk_deferred,
	       table->sum.walk_shortened, table->sum.walk_no_rows);
}

/* Is the leaf in the code? */
static inline bool is_in_code(const struct stack *stack)
{
	return stack->at[stack->nr - 1] != ELSEWHERE;
}

/* Has the stack @nr times IN_DEEP from @first on? */
static inline bool is_deep(const struct stack *stack, unsigned int first,
			   unsigned int nr)
{
	for (unsigned int i = first; i < first + nr; i++)
		if (i >= stack->nr || stack->at[i] != IN_DEEP)
			return false;
	return true;
}

/* The samples of stacks to the base of @base, @depth + 1 calls, and the loop */
static inline __u64 samples_at(struct table *table, enum stack_place base,
			       unsigned int depth)
{
	struct stack stack;
	__u64 sum = 0;

	FOR_EACH_STACK(table, &stack)
	if (stack.end == PROFIL_WALK_BASE && stack.nr == depth + 3 &&
	    stack.at[0] == base && is_deep(&stack, 1, depth + 1) &&
	    stack.at[depth + 2] == IN_SPIN)
		sum += stack.count;
	return sum;
}

/*
 * Is each stack in the code one from a base over calls, of @most at most, to the loop or to
 * a function on the way to it?
 */
static inline bool all_right(struct table *table, enum stack_place first,
			     enum stack_place last, unsigned int most)
{
	struct stack stack;
	bool right = true;

	FOR_EACH_STACK(table, &stack)
	{
		unsigned int nr = stack.nr;

		if (!is_in_code(&stack))
			continue;
		nr -= stack.at[nr - 1] == IN_SPIN;
		if (stack.end == PROFIL_WALK_BASE && stack.at[0] >= first &&
		    stack.at[0] <= last && nr - 1 <= most &&
		    is_deep(&stack, 1, nr - 1))
			continue;
		stack_print(&stack);
		right = false;
	}
	return right;
}

/*
 * Each stack that ends in the loop has to be one that @is_right says is right. Their samples
 * are added to @sums: [1] has those that reach the base.
 */
static inline void expect_in_spin(const struct table *table,
				  bool (*is_right)(const struct stack *stack),
				  __u64 sums[2])
{
	struct stack stack;

	FOR_EACH_STACK(table, &stack)
	{
		if (stack.at[stack.nr - 1] != IN_SPIN)
			continue;
		EXPECT_TRUE(is_right(&stack))
		{
			stack_print(&stack);
		}
		sums[stack.end == PROFIL_WALK_BASE] += stack.count;
	}
}

#endif /* PROFIL_TEST_STACK_TABLE_H */
