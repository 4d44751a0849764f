// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks beside what else a table has: few counters, functions of the kernel, several CPUs,
 * and its end.
 */
#include "absent_page.h"
#include "stack_table.h"

/* Fork a child that is in the table, and runs @body(0) until it is killed. */
static pid_t begin_child(struct table *table,
			 int (*body)(unsigned long argument))
{
	pid_t pid = child_that_waits(body, 0);

	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	return pid;
}

/*
 * Some 1,000 nodes: stacks of all depths below three bases, and one on another stack; and
 * then places that have not been seen before
 */
static int fill_with_nodes(unsigned long unused)
{
	char *sp = (char *)new_pages(0x10000) + 0xf000;

	(void)unused;
	for (unsigned long i = 0;; i++) {
		base_a(i % 120, LOOPS / 4);
		base_b(i % 120, LOOPS / 4);
		base_c(i % 120, LOOPS / 4);
		via(i % 120, LOOPS / 4,
		    i % 2 ? deep : (const char *)base_without_rule);
		switch_to(i % 110, LOOPS / 4, sp);
		if (i % 4 == 0)
			spin(i / 500 % NR_SITES, 200 * NSEC_PER_USEC);
	}
	return 0;
}

TEST_F(one_table, nodes_leave_room_for_places)
{
	struct table *table;
	pid_t pid;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, PROFIL_TABLE_MIN_LOG2);
	pid = begin_child(table, fill_with_nodes);
	EXPECT_TRUE(EVENTUALLY(table->sum.walk_shortened > 200, ({
				       sleep_ns(2 * NSEC_PER_SEC);
				       take(table, 0);
			       })));
	kill_child(pid);
	take_last(table);
	/* A place is looked for at few counters, which others may have all. */
	EXPECT_GT(table->sum.hits / 10, table->sum.full);
	TH_LOG("%llu of %llu walks shortened, %llu without a place",
	       table->sum.walk_shortened, table->sum.hits, table->sum.full);
}

static int read_for_ever(unsigned long unused)
{
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	long bytes = 0x100000;
	long buffer = (long)new_pages((size_t)bytes);

	(void)unused;
	while (do_call(SYS_read, zero, buffer, bytes) == bytes)
		;
	return 1;
}

/* The samples of nodes of PCs in the kernel, and those of them in *@wrong places */
static __u64 samples_below_leaves(const struct table *table, __u64 *wrong)
{
	const struct profil_counter *half = table_half(table);
	__u64 sum = 0;

	for (size_t i = 0; i < table->nr; i++) {
		__u64 key = half[i].key, above;

		if (PROFIL_KEY_KIND(key) != PROFIL_KIND_NODE ||
		    PROFIL_KEY_KIND(half[PROFIL_NODE_PC(key)].key) !=
			    PROFIL_KIND_KERNEL)
			continue;
		sum += half[i].count;
		above = PROFIL_NODE_PARENT(key) < table->nr ?
				half[PROFIL_NODE_PARENT(key)].key :
				0;
		above = half[PROFIL_NODE_PC(above)].key;
		if (PROFIL_KEY_KIND(above) != PROFIL_KIND_TEXT ||
		    !(above & PROFIL_KEY_KERNEL))
			*wrong += half[i].count;
	}
	return sum;
}

#define IN_KERNEL ((__u64)PROFIL_KIND_KERNEL << 62)
#define WITHOUT_TEXT ((__u64)PROFIL_TEXT_KERNEL << 32)

/* The samples in half @nr of PCs in the kernel without a text: no leaf is known for them. */
static __u64 kernel_without_text(const struct table *table, __u32 nr)
{
	return counted_in(table, nr, KIND_MASK | WITHOUT_TEXT,
			  IN_KERNEL | WITHOUT_TEXT);
}

static bool has_leaves_in_the_kernel(const struct table *table)
{
	__u64 without = kernel_without_text(table, !table->taken.half);

	return counted_now(table, KIND_MASK, IN_KERNEL) > 500 + without;
}

TEST_F(one_table, functions_of_the_kernel_are_below_leaves)
{
	__u64 wrong = 0, below, without_text;
	struct table *table;
	pid_t pid;

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, PROFIL_TABLE_KERNEL_PCS, STACK_LOG2);
	pid = begin_child(table, read_for_ever);
	EXPECT_TRUE(EVENTUALLY(has_leaves_in_the_kernel(table),
			       sleep_ns(20 * NSEC_PER_MSEC)));
	kill_child(pid);
	take(table, 0);
	without_text = kernel_without_text(table, table->taken.half);
	below = samples_below_leaves(table, &wrong);
	EXPECT_LT(500, below);
	EXPECT_EQ(table->taken.kernel_pcs, below + without_text);
	EXPECT_EQ(0, wrong);
	EXPECT_EQ(0, table->taken.walk_shortened);
}

/* One process, on each CPU in turn: both have a memory of walks of it. */
static int migrate(unsigned long unused)
{
	void (*const volatile bases[])(unsigned long, unsigned long) = {
		base_a,
		base_b,
		base_c,
	};

	(void)unused;
	for (unsigned int i = 0;; i++) {
		run_on(0, i / 5 % 2);
		bases[i % ARRAY_LENGTH(bases)](i % 7, LOOPS);
	}
	return 0;
}

/* Base, calls, the loop, and nothing else */
static bool is_whole(const struct stack *stack)
{
	unsigned int calls = 1;

	while (calls < stack->nr && stack->at[calls] == IN_DEEP)
		calls++;
	return stack->end == PROFIL_WALK_BASE && stack->at[0] <= IN_BASE_C &&
	       calls <= 8 && calls == stack->nr - 1;
}

TEST_F(one_table, stacks_stay_right_on_other_processors)
{
	struct table *table;
	__u64 sums[2] = { 0 };

	if (!HAVE_STACKS)
		SKIP(return, "no code for this processor");
	table = begin_stacks(self, 0, STACK_LOG2);
	run_for(table, migrate, 0, 3000);
	expect_in_spin(table, is_whole, sums);
	EXPECT_LT(1000, sums[1]);
}

/* Without the descriptors that keep the table and the module */
static int migrate_alone(unsigned long unused)
{
	close_range(3, ~0U, 0);
	return migrate(unused);
}

/* A walk that finds a page which is never given does not hold the module, nor its text. */
static int spin_without_page(unsigned long unused)
{
	void *page = new_reserved(page_size());

	(void)unused;
	close_range(3, ~0U, 0);
	absent_page_keep(page);
	for (;;)
		spin_with((uintptr_t)page, LOOPS, 0, 0);
	return 0;
}

TEST_F(one_table, module_is_unloaded_beside_walks)
{
	struct table *table;
	pid_t pid;

	if (!HAVE_STACKS || !can_load())
		SKIP(return, "no code for this processor, or no " MODULE);
	ASSERT_OK(save_parameters());
	for (int i = 0; i < 5; i++) {
		table = begin_stacks(self, 0, STACK_LOG2);
		pid = begin_child(table,
				  i % 2 ? migrate_alone : spin_without_page);
		EXPECT_TRUE(EVENTUALLY(counted_in_user_mode(table) > 100,
				       sleep_ns(NSEC_PER_MSEC)));
		end_table(self);
		close(self->fd);
		ASSERT_OK(reload());
		EXPECT_EQ(0, waitpid(pid, NULL, WNOHANG));
		kill_child(pid);
		self->fd = device_open();
		ASSERT_LE(0, self->fd);
	}
}

TEST_HARNESS_MAIN
