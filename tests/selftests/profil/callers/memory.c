// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is remembered of walks: a deep stack is not walked anew, threads have walks of their
 * own, and a stack is the one of now where text, rows, or other callers have changed.
 */
#include <pthread.h>

#include "stack_table.h"

static int recurse(unsigned long depth)
{
	for (;;)
		base_a(depth, LOOPS);
	return 0;
}

/* An interrupt has few frames of a walk that are new, and these stacks have many. */
TEST_F(one_table, deep_stacks_are_remembered)
{
	static const unsigned int depths[] = { 45, 60, 61, 62, 63, 90, 124 };
	struct table *table;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	for (size_t i = 0; i < ARRAY_LENGTH(depths); i++) {
		run_for(table, recurse, depths[i], 400);
		EXPECT_LT(table->taken.walk_deferred,
			  table->taken.walk_base / 4)
		{
			TH_LOG("%u calls", depths[i]);
		}
	}
}

/* More than two for each memory that a processor has for a task */
#define THREADS 80

/* Each has its own base and depth. */
static void *spin_at_depth(void *argument)
{
	void (*const bases[])(unsigned long, unsigned long) = {
		base_a,
		base_b,
		base_c,
	};
	unsigned long nr = (uintptr_t)argument % 40;

	for (;;)
		bases[nr % 3](3 * nr, LOOPS);
	return NULL;
}

static int run_threads(unsigned long unused)
{
	pthread_t thread;

	(void)unused;
	for (uintptr_t i = 1; i < THREADS; i++)
		if (pthread_create(&thread, NULL, spin_at_depth, (void *)i))
			return 1;
	spin_at_depth(NULL);
	return 0;
}

static bool is_of_thread(const struct stack *stack)
{
	unsigned int calls = stack->nr - 2;

	return stack->end == PROFIL_WALK_BASE &&
	       is_deep(stack, 1, stack->nr - 2) && calls % 3 == 1 &&
	       stack->at[0] == IN_BASE_A + calls / 3 % 3;
}

TEST_F(one_table, each_thread_has_its_own_stack)
{
	struct table *table;
	struct stack stack;
	__u64 sum = 0;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, run_threads, 0, 6000);
	FOR_EACH_STACK(table, &stack)
	if (stack.at[stack.nr - 1] == IN_SPIN) {
		EXPECT_TRUE(is_of_thread(&stack))
		{
			stack_print(&stack);
		}
		sum += stack.count;
	}
	EXPECT_LT(3000, sum);
}

/* A step without a rule is above the frames that are the same, or is not. */
static int step_by_rbp_in_turn(unsigned long depth)
{
	for (unsigned int i = 0;; i++)
		via(depth, LOOPS,
		    i % 2 ? deep : (const char *)base_without_rule);
	return 0;
}

static bool is_via(const struct stack *stack)
{
	bool by_rbp = stack->end == PROFIL_WALK_BY_RBP;
	unsigned int calls = 5 + by_rbp;

	return stack->nr == calls + 1 && stack->at[0] == IN_VIA &&
	       (by_rbp ? stack->at[1] == IN_WITHOUT_RULE :
			 stack->end == PROFIL_WALK_BASE) &&
	       is_deep(stack, 1 + by_rbp, 4);
}

TEST_F(one_table, steps_by_rbp_come_and_go)
{
	struct table *table;
	struct stack stack;
	__u64 sums[2] = { 0 };

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, step_by_rbp_in_turn, 3, 2000);
	FOR_EACH_STACK(table, &stack)
	if (stack.at[stack.nr - 1] == IN_SPIN) {
		EXPECT_TRUE(is_via(&stack))
		{
			stack_print(&stack);
		}
		sums[stack.end == PROFIL_WALK_BASE] += stack.count;
	}
	EXPECT_LT(500, sums[0]);
	EXPECT_LT(500, sums[1]);
}

/* Text of a file, with a part of it behind the first page replaced by another in turn */
#define OTHER_PART 0x10000

static int two_parts = -1;

static bool map_text(char *at, size_t bytes, off_t offset)
{
	return mmap(at, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		    two_parts, offset) == at;
}

static int replace_part(unsigned long unused)
{
	size_t page = page_size();
	char *at = new_pages(page + SITES_BYTES);

	(void)unused;
	for (unsigned int i = 0;; i++) {
		if (!map_text(at, page + SITES_BYTES, CODE_AT - (off_t)page) ||
		    (i % 2 &&
		     !map_text(at + page, SITES_BYTES, CODE_AT + OTHER_PART)))
			return 1;
		spin_at(at + page, 5 * NSEC_PER_MSEC);
	}
	return 0;
}

/* The leaf has the PC and the rsp of the one in the other part. */
TEST_F(one_table, other_part_of_a_file_is_other_text)
{
	struct table *table;
	struct stat file;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	two_parts = code_file(NULL);
	ASSERT_EQ((ssize_t)SITES_BYTES,
		  pwrite(two_parts, profil_sites, SITES_BYTES,
			 CODE_AT + OTHER_PART));
	ASSERT_OK(fstat(two_parts, &file));
	table = begin_stacks(self, 0, STACK_LOG2);
	ASSERT_OK(run_on(0, 0));
	run_for(table, replace_part, 0, 1000);
	for (unsigned int i = 0; i < 2; i++)
		EXPECT_LT(250, table_samples(table, &file,
					     code_offset(0) + i * OTHER_PART,
					     false));
	close(two_parts);
}

/* The rows of the code, but that functions which call themselves have no caller */
static unsigned int rows_that_end(struct profil_row rows[ROWS_MAX])
{
	unsigned int nr = stack_rows(rows);

	for (unsigned int i = 0; i < nr; i++)
		if (rows[i].offset >= offset_of(deep) &&
		    rows[i].rule == (PROFIL_RULE_SP | 16) && rows[i].bx == -2)
			rows[i] = (struct profil_row){
				.offset = rows[i].offset,
				.rule = PROFIL_RULE_END,
			};
	return nr;
}

/* Is each stack with the loop one by the rows of now? */
static bool are_by_rows(const struct table *table, bool that_end)
{
	unsigned int nr = that_end ? 2 : 8;
	struct stack stack;
	bool right = true;

	FOR_EACH_STACK(table, &stack)
	if (stack.at[stack.nr - 1] == IN_SPIN && stack.nr != nr) {
		stack_print(&stack);
		right = false;
	}
	return right;
}

static void take_with_rows(struct table *table, bool that_end)
{
	struct profil_row rows[ROWS_MAX];
	unsigned int nr = that_end ? rows_that_end(rows) : stack_rows(rows);

	ASSERT_OK(stack_load_again(table, rows, nr));
	take(table, 0);
	EXPECT_TRUE(EVENTUALLY(counted_in_user_mode(table) > 40,
			       sleep_ns(NSEC_PER_MSEC)));
	take(table, 0);
	EXPECT_TRUE(are_by_rows(table, that_end));
}

/* Rows are of the same number, so that they may be where freed ones were. */
TEST_F(one_table, stacks_are_by_the_rows_of_now)
{
	struct table *table;
	pid_t pid;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	pid = child_that_waits(recurse, 5);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	for (int i = 0; i < 40; i++)
		take_with_rows(table, i % 2 == 0);
	kill_child(pid);
}

TEST_HARNESS_MAIN
