// SPDX-License-Identifier: GPL-2.0-only
/*
 * PROFIL_TABLE_CALLERS: the callers of code whose stack is known. Each stack with samples is
 * one that the code can have, and each that it has is there; walks that end are counted by
 * their end.
 */
#include "stack_table.h"

static int recurse(unsigned long depth)
{
	for (;;)
		base_a(depth, LOOPS);
	return 0;
}

TEST_F(one_table, whole_stacks_are_counted)
{
	static const unsigned int depths[] = { 0,  1,  10,  30, 61,
					       62, 63, 100, 124 };
	struct table *table;

	if (!HAVE_CALLS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	for (size_t i = 0; i < ARRAY_LENGTH(depths); i++) {
		run_for(table, recurse, depths[i], 200);
		EXPECT_LT(100, samples_at(table, IN_BASE_A, depths[i]));
		EXPECT_TRUE(all_right(table, IN_BASE_A, IN_BASE_A, 127));
	}
	EXPECT_EQ(0, table->sum.walk_shortened);
}

/* A walk that is remembered has most of the frames of the deeper stack. */
static int recurse_deeper(unsigned long depth)
{
	for (;;) {
		base_a(100, LOOPS);
		base_a(depth, LOOPS);
	}
	return 0;
}

TEST_F(one_table, deeper_stacks_end_at_their_depth)
{
	struct table *table;
	struct stack stack;
	__u64 sum = 0;

	if (!HAVE_CALLS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, recurse_deeper, 125, 600);
	FOR_EACH_STACK(table, &stack)
	{
		EXPECT_GE(STACK_DEPTH, stack.nr);
		if (stack.end != PROFIL_WALK_DEPTH)
			continue;
		EXPECT_EQ(STACK_DEPTH, stack.nr);
		EXPECT_TRUE(is_deep(&stack, 0, STACK_DEPTH - 1));
		sum += stack.count;
	}
	EXPECT_EQ(table->taken.walk_depth, sum);
	EXPECT_LT(100, sum);
}

/* The same PCs and the same rsp, up to the base */
static int take_turns(unsigned long depth)
{
	void (*const volatile bases[])(unsigned long, unsigned long) = {
		base_a, base_b, base_b, base_c, base_c, base_c,
	};

	for (unsigned int i = 0;; i++)
		bases[i % ARRAY_LENGTH(bases)](depth, LOOPS);
	return 0;
}

TEST_F(one_table, stacks_that_differ_at_the_base_differ)
{
	struct table *table;
	__u64 a, b, c;

	if (!HAVE_CALLS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, take_turns, 6, 3000);
	a = samples_at(table, IN_BASE_A, 6);
	b = samples_at(table, IN_BASE_B, 6);
	c = samples_at(table, IN_BASE_C, 6);
	TH_LOG("%llu, %llu, %llu", a, b, c);
	EXPECT_TRUE(all_right(table, IN_BASE_A, IN_BASE_C, 7));
	EXPECT_LT(a * 3 / 2, b);
	EXPECT_LT(b * 5 / 4, c);
	EXPECT_LT(0, a);
}

static char *other_stack(void)
{
	return (char *)new_pages(0x10000) + 0xf000;
}

/* rsp of the loop is on a stack of its own, which is the same for both. */
static int hang(unsigned long unused)
{
	char *sp = other_stack();

	(void)unused;
	for (unsigned int i = 0;; i++)
		if (i % 3)
			hang_a(0, LOOPS, sp);
		else
			hang_b(0, LOOPS, sp);
	return 0;
}

TEST_F(one_table, stacks_that_differ_in_a_saved_register_differ)
{
	__u64 sums[2] = { 0 };
	struct table *table;
	struct stack stack;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, hang, 0, 3000);
	FOR_EACH_STACK(table, &stack)
	{
		bool is_b = stack.at[0] == IN_HANG_B;

		if (!is_in_code(&stack) || stack.nr < 4)
			continue;
		EXPECT_TRUE(stack.nr == 4 && stack.end == PROFIL_WALK_BASE &&
			    (is_b || stack.at[0] == IN_HANG_A) &&
			    stack.at[1] == IN_FRAMED &&
			    stack.at[2] == IN_SAVER &&
			    stack.at[3] == (is_b ? IN_SPIN_TWIN : IN_SPIN))
		{
			stack_print(&stack);
		}
		sums[is_b] += stack.count;
	}
	TH_LOG("%llu and %llu", sums[0], sums[1]);
	EXPECT_LT(sums[1] * 3 / 2, sums[0]);
	EXPECT_LT(0, sums[1]);
}

/* By rbx, on several stacks in turn, which may have too many new frames for an interrupt */
static int switch_stacks(unsigned long nr)
{
	char *sps[8];

	for (unsigned long i = 0; i < nr; i++)
		sps[i] = other_stack();
	for (unsigned long i = 0;; i++)
		switch_to(i % 5 * 25, LOOPS, sps[i % nr]);
	return 0;
}

TEST_F(one_table, a_stack_goes_on_on_another)
{
	struct table *table;
	struct stack stack;
	__u64 sum = 0;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, switch_stacks, 3, 2000);
	FOR_EACH_STACK(table, &stack)
	if (is_in_code(&stack) && stack.at[stack.nr - 1] == IN_SPIN) {
		EXPECT_TRUE(stack.end == PROFIL_WALK_BASE && stack.nr >= 4 &&
			    stack.at[0] == IN_SWITCH &&
			    stack.at[1] == IN_SWITCH &&
			    is_deep(&stack, 2, stack.nr - 3))
		{
			stack_print(&stack);
		}
		sum += stack.count;
	}
	EXPECT_LT(1000, sum);
}

#ifdef __x86_64__
/* The kernel's struct sigaction, with a function that returns from a handler */
static void handle(int signal, bool on_other_stack)
{
	struct {
		void (*handler)(int signal);
		unsigned long flags;
		void (*restorer)(void);
		unsigned long mask;
	} act = { spin_in_handler, 0x04000000UL /* SA_RESTORER */,
		  restore_of_handler, 0 };
	stack_t stack = { .ss_sp = new_pages(0x10000), .ss_size = 0x10000 };

	if (on_other_stack)
		act.flags |= SA_ONSTACK;
	sigaltstack(&stack, NULL);
	syscall(SYS_rt_sigaction, signal, &act, NULL, 8);
}
#else
static void handle(int signal, bool on_other_stack)
{
	(void)signal;
	(void)on_other_stack;
}
#endif

static int be_signalled(unsigned long on_other_stack)
{
	struct itimerval each = { { 0, 4000 }, { 0, 4000 } };

	handle(SIGVTALRM, on_other_stack);
	setitimer(ITIMER_VIRTUAL, &each, NULL);
	for (unsigned int i = 0;; i++)
		base_a(i % 5, LOOPS);
	return 0;
}

/* base, calls, the loop or a call; the handler's return, the handler, the loop */
static bool is_signalled(const struct stack *stack)
{
	unsigned int at = 0;

	if (stack->at[at++] != IN_BASE_A || stack->end != PROFIL_WALK_BASE)
		return false;
	while (at < stack->nr && stack->at[at] == IN_DEEP)
		at++;
	at += at < stack->nr && stack->at[at] == IN_SPIN;
	return stack->nr == at + 3 && stack->at[at] == IN_RESTORE &&
	       stack->at[at + 1] == IN_HANDLER && stack->at[at + 2] == IN_SPIN;
}

/* TAKE, and add the samples of handlers to *@handler: the number that is wrong */
static __u64 wrong_handlers(struct table *table, __u64 *handler)
{
	struct stack stack;
	__u64 wrong = 0;

	take(table, 0);
	FOR_EACH_STACK(table, &stack)
	{
		if (stack.nr < 2 || stack.at[stack.nr - 2] != IN_HANDLER)
			continue;
		*handler += stack.count;
		if (is_signalled(&stack) || stack.at[0] == ELSEWHERE)
			continue;
		stack_print(&stack);
		wrong += stack.count;
	}
	return wrong;
}

static void check_signals(one_table_data *self, bool on_other_stack)
{
	struct table *table = begin_stacks(self, 0, STACK_LOG2);
	pid_t pid = child_that_waits(be_signalled, on_other_stack);
	__u64 handler = 0;

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(EVENTUALLY(handler > 100, ({
				       sleep_ns(100 * NSEC_PER_MSEC);
				       EXPECT_EQ(0, wrong_handlers(table,
								   &handler));
			       })));
	kill_child(pid);
	TH_LOG("%llu samples in the handler", handler);
}

TEST_F(one_table, a_handler_is_called_by_what_it_interrupts)
{
	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	check_signals(self, false);
	check_signals(self, true);
}

static int go_by_rbp(unsigned long depth)
{
	for (;;)
		base_without_rule(depth, LOOPS);
	return 0;
}

TEST_F(one_table, a_step_without_a_rule_is_marked)
{
	struct table *table;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, go_by_rbp, 2, 300);
	EXPECT_LT(200, table->taken.walk_by_rbp);
	EXPECT_EQ(0, table->taken.walk_base);
}

TEST_F(one_table, samples_without_rows_have_their_leaf)
{
	struct table *table;
	struct stack stack;
	pid_t pid;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin(self, PROFIL_TABLE_TREE | PROFIL_TABLE_CALLERS, FAST_NS);
	pid = child_that_spins(4);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(table_counted(table) > 200));
	kill_child(pid);
	take_last(table);
	EXPECT_EQ(table->taken.hits, table->taken.walk_no_rows);
	FOR_EACH_STACK(table, &stack)
	EXPECT_EQ(1, stack.nr);
}

TEST_HARNESS_MAIN
