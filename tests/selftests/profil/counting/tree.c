// SPDX-License-Identifier: GPL-2.0-only
/*
 * The number of samples of a tree for the CPU time of its processes, and no
 * sample of others. Needs machine_counts(), so that every due sample is taken.
 */
#include "one_table.h"

#define WORK_NS (300 * NSEC_PER_MSEC)

/* A program of the folder, which waits to be added; as program_new() */
static const char *path;
static __u64 spin_ns;

static int execute(unsigned long unused)
{
	char number[24];

	(void)unused;
	snprintf(number, sizeof(number), "%llu", spin_ns);
	execl(path, path, "spin", number, NULL);
	return 125;
}

/* The table of a tree, and a copy of this program */
static struct table *begin_tree(one_table_data *self, struct folder *folder,
				struct stat *program, __u64 period_ns)
{
	struct table *table = begin(self, PROFIL_TABLE_TREE, period_ns);

	*folder = folder_new();
	path = folder->program;
	ASSERT_OK(program_copy(path));
	ASSERT_OK(stat(path, program));
	return table;
}

static __u64 run_added(const struct table *table, __u64 ns)
{
	pid_t pid;

	spin_ns = ns;
	pid = child_that_waits(execute, 0);
	ASSERT_OK(table_add(table, pid, PROFIL_ADD_ON_EXEC));
	kill(pid, SIGCONT);
	return cpu_time_of(pid);
}

/* Another program runs before and after, and is not sampled. */
static void check_program(one_table_data *self, __u64 asked_ns)
{
	__u64 period_ns = asked_ns ?: tick_ns(self->fd), all, used;
	struct folder folder;
	struct stat program;
	struct table *table = begin_tree(self, &folder, &program, asked_ns);

	spin(3, WORK_NS);
	used = run_added(table, WORK_NS);
	spin(3, WORK_NS);
	take_last(table);
	all = table_program_samples(table, &program);
	TH_LOG("%llu samples in %llu us", all, used / NSEC_PER_USEC);
	EXPECT_TRUE(all_due(all, WORK_NS, used, period_ns, 2));
	EXPECT_EQ(all, table->sum.hits);
	EXPECT_EQ(0, table->sum.denied + table->sum.unmapped +
			     table->sum.no_item + table->sum.full);
	EXPECT_EQ(1, table->taken.processes);
	folder_end(&folder);
}

TEST_F(one_table, only_the_process_is_sampled)
{
	check_program(self, 0);
	check_program(self, FAST_NS);
	check_program(self, NSEC_PER_MSEC);
}

/* Short processes, all of which a shell forks */
#define PROCESSES 200
#define SHORT_NS (2 * NSEC_PER_MSEC)

static int run_short(unsigned long nr)
{
	__u64 used = 0;

	while (nr--)
		used += cpu_time_of(program_new(path, "spin", SHORT_NS));
	return used < PROCESSES * SHORT_NS;
}

TEST_F(one_table, short_children_have_every_sample)
{
	__u64 due = PROCESSES * SHORT_NS / FAST_NS, loop, at_site;
	struct folder folder;
	struct stat program;
	struct table *table = begin_tree(self, &folder, &program, FAST_NS);
	pid_t pid = child_that_waits(run_short, PROCESSES);

	ASSERT_OK(table_add(table, pid, PROFIL_ADD_CHILDREN));
	kill(pid, SIGCONT);
	EXPECT_TRUE(exited_with(pid, 0));
	take_last(table);
	loop = offset_of((const char *)site(SPIN_SITE) + SITE_LOOP);
	at_site = table_samples(table, &program, loop, false);
	TH_LOG("%llu samples at the site; %llu in the loops", at_site, due);
	EXPECT_LE(due / 10 * 9, at_site);
	EXPECT_GE(due / 10 * 13, at_site);
	EXPECT_EQ(0,
		  table->sum.denied + table->sum.unmapped + table->sum.no_item);
	EXPECT_EQ(0, table->sum.gone);
	EXPECT_EQ(PROCESSES + 1,
		  table->taken.processes + table->taken.unfollowed);
	EXPECT_EQ(0, table->taken.unfollowed);
	folder_end(&folder);
}

/* Two files in turn at one address */
#define ROUNDS 50
#define ROUND_NS (8 * FAST_NS)

struct turns {
	int files[2];
	__u64 used[2];
};

static struct turns *turns;

static int map_in_turn(unsigned long rounds)
{
	return code_in_turn(turns->files, rounds, ROUND_NS, turns->used);
}

TEST_F(one_table, files_in_turn_have_equal_shares)
{
	struct table *table = begin(self, PROFIL_TABLE_TREE, FAST_NS);
	struct stat file;
	pid_t pid;

	turns = new_shared(page_size());
	turns->files[0] = code_file(NULL);
	turns->files[1] = code_file(NULL);
	pid = child_that_waits(map_in_turn, ROUNDS);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(exited_with(pid, 0));
	take_last(table);
	for (int i = 0; i < 2; i++) {
		__u64 at = code_offset(SPIN_SITE);

		ASSERT_OK(fstat(turns->files[i], &file));
		expect_share(table_samples(table, &file, at, false),
			     turns->used[i]);
	}
	EXPECT_EQ(0, table->sum.unmapped);
}

TEST_HARNESS_MAIN
