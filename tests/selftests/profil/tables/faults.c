// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of user memory in TABLE and in the commands of a table is
 * made to fail, one after the other, and many of those in look-ups: each sample has an
 * outcome. Needs a kernel with fault injection.
 */
#include "faults.h"

#include <fcntl.h>
#include <sys/prctl.h>

#include "program.h"
#include "table.h"

/* The lowest descriptor that is not in use */
static int next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

/* TABLE and close; 0 or a negative errno */
static int open_and_close(void *fd)
{
	struct profil_table args = table_args(PROFIL_TABLE_KERNEL_PCS, FAST_NS);
	int table = table_open(*(int *)fd, &args);

	if (table < 0)
		return table;
	close(table);
	return 0;
}

static void check_no_table_is_left(int fd)
{
	int tables[PROFIL_MAX_TABLES], i;
	struct profil_table args = table_args(0, 0);

	for (i = 0; i < PROFIL_MAX_TABLES; i++) {
		tables[i] = table_open(fd, &args);
		EXPECT_LE(0, tables[i]);
	}
	while (i--)
		close(tables[i]);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(faults, failed_table_leaves_nothing)
{
	struct faults_made made = { 0 };
	int next = next_descriptor();

	while (next_fault(&made)) {
		make_fault(&made, open_and_close, &self->fd);
		EXPECT_EQ(next, next_descriptor());
	}
	check_faults(&made, 8);
	check_no_table_is_left(self->fd);
}

static int take_once(void *table)
{
	return table_take(table, 0);
}

/* A failed TAKE may have changed halves: its samples are those of no sum. */
TEST_F(faults, failed_take_breaks_no_table)
{
	struct faults_made made = { 0 };
	struct table table;

	ASSERT_OK(table_begin(&table, self->fd, table_args(0, FAST_NS)));
	while (next_fault(&made)) {
		spin(3, NSEC_PER_MSEC);
		if (make_fault(&made, take_once, &table))
			continue;
		EXPECT_EQ(table.taken.texts != 0, table.taken.names != 0);
	}
	check_faults(&made, 1);
	table_end(&table);
	check_no_table_is_left(self->fd);
}

/*
 * Look-ups
 */
static pid_t run_programs(const struct folder *folder)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		cpu_time_of(program_new(folder->program, "spin", 4 * FAST_NS));
}

static void check_sums(struct table *table, __u32 flags)
{
	ASSERT_OK(table_take(table, flags));
	EXPECT_TRUE(table_adds_up(table));
}

#define STEP_NS (20 * NSEC_PER_MSEC)

/* TAKE: all TAKEs have @least samples without memory for a name, and as many hits. */
static bool enough(struct table *table, __u64 least)
{
	check_sums(table, 0);
	return table->sum.no_memory >= least && table->sum.hits >= least;
}

TEST_F(faults, samples_without_memory_are_counted)
{
	struct folder folder = folder_new();
	struct table table;
	pid_t child;

	ASSERT_OK(program_copy(folder.program));
	ASSERT_OK(table_begin(&table, self->fd,
			      table_args(PROFIL_TABLE_THREADS, FAST_NS)));
	/* Not on TAKE, whose samples a fault would lose */
	if (!focus_on_function("profil_lookup_count"))
		SKIP(return, "faults cannot be restricted to a function");
	fail_in_percent("30");
	child = run_programs(&folder);
	EXPECT_TRUE(EVENTUALLY(enough(&table, 20), sleep_ns(STEP_NS)));
	fail_in_percent("0");
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	check_sums(&table, PROFIL_TAKE_LAST);
	EXPECT_EQ(0, table.taken.waiting);
	TH_LOG("%llu ticks, %llu hits, %llu without memory, %llu gone",
	       table.sum.ticks, table.sum.hits, table.sum.no_memory,
	       table.sum.gone);
	table_end(&table);
	folder_end(&folder);
	check_no_table_is_left(self->fd);
}

int main(int argc, char **argv)
{
	program_main(argc, argv);
	return test_harness_run(argc, argv);
}
