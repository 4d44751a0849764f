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

/* Take the table when it has @least samples in user mode. */
static void take_with_samples(struct table *table, __u64 least)
{
	EXPECT_TRUE(EVENTUALLY(counted_in_user_mode(table) >= least,
			       sleep_ns(20 * NSEC_PER_MSEC)));
	take(table, 0);
}

/*
 * An interrupt has few frames of a walk that are new, and these stacks have many: without a
 * memory each walk would be deferred. Those of a program that begins are, and it has begun
 * when the table is taken first.
 */
TEST_F(one_table, deep_stacks_are_remembered)
{
	static const unsigned int depths[] = { 45, 60, 61, 62, 63, 90, 124 };
	struct table *table;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	for (size_t i = 0; i < ARRAY_LENGTH(depths); i++) {
		pid_t pid = child_that_waits(recurse, depths[i]);

		ASSERT_OK(table_add(table, pid, 0));
		kill(pid, SIGCONT);
		take_with_samples(table, 100);
		take_with_samples(table, 300);
		kill_child(pid);
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
	__u64 sums[2] = { 0 };

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, run_threads, 0, 6000);
	expect_in_spin(table, is_of_thread, sums);
	EXPECT_LT(3000, sums[1]);
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
	__u64 sums[2] = { 0 };

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, step_by_rbp_in_turn, 3, 2000);
	expect_in_spin(table, is_via, sums);
	EXPECT_LT(500, sums[0]);
	EXPECT_LT(500, sums[1]);
}

/* Text at one address: of two files, or of two parts of one, in turn */
#define OTHER_PART 0x10000

static int files[2];

static bool map_text(char *at, size_t bytes, unsigned int nr, off_t offset)
{
	return mmap(at, bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		    files[nr], offset) == at;
}

/* The other part is in place of a part of the mapping of the first one. */
static bool map_part(char *at, unsigned int nr)
{
	off_t page = (off_t)page_size();

	return map_text(at - page, page + SITES_BYTES, 0, CODE_AT - page) &&
	       (!nr || map_text(at, SITES_BYTES, 0, CODE_AT + OTHER_PART));
}

/* A stack of one caller, in that text. The loop tells which text is there. */
static int replace_text(unsigned long by_part)
{
	char *at = (char *)new_pages(page_size() + SITES_BYTES) + page_size();
	__u64 *words = new_pages(page_size());

	words[0] = (uintptr_t)at + 8;
	for (unsigned int nr = 0;; nr = !nr) {
		if (!(by_part ? map_part(at, nr) :
				map_text(at, SITES_BYTES, nr, CODE_AT)))
			return 1;
		for (int n = 0; n < 20; n++)
			if (nr)
				spin_twin_with((uintptr_t)words, LOOPS, 0, 0);
			else
				spin_with((uintptr_t)words, LOOPS, 0, 0);
	}
	return 0;
}

/* Below each loop is one caller, and another one. */
static void check_text(one_table_data *self, unsigned long by_part)
{
	struct table *table = begin_stacks(self, 0, STACK_LOG2);
	__u64 sums[2] = { 0 }, keys[2] = { 0 };
	struct stack stack;

	run_for(table, replace_text, by_part, 2000);
	FOR_EACH_STACK(table, &stack)
	{
		bool is_twin = stack.at[1] == IN_SPIN_TWIN;

		if (stack.nr != 2 || !(is_twin || stack.at[1] == IN_SPIN_WITH))
			continue;
		keys[is_twin] = keys[is_twin] ?: stack.keys[0];
		EXPECT_EQ(keys[is_twin], stack.keys[0]);
		sums[is_twin] += stack.count;
	}
	EXPECT_NE(keys[0], keys[1]);
	EXPECT_LT(400, sums[0]);
	EXPECT_LT(400, sums[1]);
}

TEST_F(one_table, other_text_at_an_address_is_no_memory_of_it)
{
	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	for (int i = 0; i < 2; i++) {
		files[i] = code_file(NULL);
		ASSERT_EQ((ssize_t)SITES_BYTES,
			  pwrite(files[i], profil_sites, SITES_BYTES,
				 CODE_AT + OTHER_PART));
	}
	check_text(self, false);
	check_text(self, true);
	close(files[0]);
	close(files[1]);
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

/* The samples in the half in use whose stack is one by the other rows */
static __u64 samples_by_other_rows(const struct table *table, bool that_end)
{
	unsigned int nr = that_end ? 8 : 2;
	struct table now = *table;
	struct stack stack;
	__u64 sum = 0;

	now.taken.half = !now.taken.half;
	FOR_EACH_STACK(&now, &stack)
	if (stack.at[stack.nr - 1] == IN_SPIN && stack.nr == nr)
		sum += stack.count;
	return sum;
}

/* When the rows have been loaded, no walk goes by others. */
static void sample_with_rows(struct table *table, bool that_end)
{
	struct profil_row rows[ROWS_MAX];
	unsigned int nr = that_end ? rows_that_end(rows) : stack_rows(rows);
	__u64 others, counted;

	ASSERT_OK(stack_load_again(table, rows, nr));
	others = samples_by_other_rows(table, that_end);
	counted = counted_in_user_mode(table);
	EXPECT_TRUE(EVENTUALLY(counted_in_user_mode(table) > counted + 40,
			       sleep_ns(NSEC_PER_MSEC)));
	EXPECT_EQ(others, samples_by_other_rows(table, that_end));
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
	for (int i = 0; i < 40; i++) {
		sample_with_rows(table, i % 2 == 0);
		if (i % 3 == 0)
			take(table, 0);
	}
	kill_child(pid);
}

TEST_HARNESS_MAIN
