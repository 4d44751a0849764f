// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of user memory in TABLE and in the commands of a table is
 * made to fail, one after the other, and many of those in look-ups and forks: each sample
 * has an outcome, and each child is followed or counted. Needs a kernel with fault
 * injection.
 */
#include "faults.h"

#include "program.h"
#include "table.h"

#include <poll.h>

/* The lowest descriptor that is not in use */
static int next_descriptor(void)
{
	int fd = dup(0);

	close(fd);
	return fd;
}

struct table_call {
	int fd;
	__u32 flags;
};

/* TABLE and close; 0 or a negative errno */
static int open_and_close(void *argument)
{
	const struct table_call *given = argument;
	struct profil_table args = table_args(given->flags, FAST_NS);
	int table = table_open(given->fd, &args);

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

static void check_failed_tables(int fd, __u32 flags)
{
	struct table_call given = { fd, flags };
	struct faults_made made = { 0 };
	int next = next_descriptor();

	while (next_fault(&made)) {
		make_fault(&made, open_and_close, &given);
		EXPECT_EQ(next, next_descriptor());
	}
	check_faults(&made, 8);
	check_no_table_is_left(fd);
}

TEST_F(faults, failed_table_leaves_nothing)
{
	check_failed_tables(self->fd, PROFIL_TABLE_KERNEL_PCS);
	check_failed_tables(self->fd, PROFIL_TABLE_TREE);
}

#ifdef __x86_64__
TEST_F(faults, failed_table_of_callers_leaves_nothing)
{
	check_failed_tables(self->fd, PROFIL_TABLE_CALLERS);
	check_failed_tables(self->fd, PROFIL_TABLE_CALLERS | PROFIL_TABLE_TREE);
}

/* Rows, more than are copied at a time */
#define ROWS 5000

struct rows_call {
	struct table table;
	int file;
	struct profil_row rows[ROWS];
};

static int load_rows(void *argument)
{
	const struct rows_call *given = argument;

	return table_load(&given->table, given->file, given->rows, ROWS);
}

static int wanted(void *argument)
{
	const struct rows_call *given = argument;
	struct profil_wanted file;
	char path[256];

	return table_wanted(&given->table, &file, path);
}

static struct rows_call *rows_call_begin(const faults_data *self)
{
	const __u32 flags = PROFIL_TABLE_TREE | PROFIL_TABLE_CALLERS;
	struct rows_call *given = calloc(1, sizeof(*given));

	given->file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	for (__u32 i = 0; i < ROWS; i++)
		given->rows[i].offset = i;
	ASSERT_OK(table_begin(&given->table, self->fd,
			      table_args(flags, FAST_NS)));
	return given;
}

static void rows_call_end(const faults_data *self, struct rows_call *given)
{
	table_end(&given->table);
	close(given->file);
	free(given);
	check_no_table_is_left(self->fd);
}

TEST_F(faults, failed_rows_load_nothing)
{
	struct rows_call *given = rows_call_begin(self);
	struct faults_made made = { 0 };

	while (next_fault(&made)) {
		int result = make_fault(&made, load_rows, given);

		EXPECT_EQ(result ? -ENOENT : 0,
			  table_load(&given->table, given->file, NULL, 0));
	}
	/* How many of them fail depends on what the allocators have in stock: 2 or 3 did. */
	check_faults(&made, 2);
	rows_call_end(self, given);
}

#define WANTED_SITE 5

/* A file that could not be returned for lack of memory is still wanted. */
TEST_F(faults, failed_wanted_keeps_the_file)
{
	struct rows_call *given = rows_call_begin(self);
	pid_t pid = child_that_spins(WANTED_SITE);
	struct faults_made made = { 0 };

	ASSERT_OK(table_add(&given->table, pid, 0));
	kill(pid, SIGCONT);
	ASSERT_TRUE(WAIT_FOR(table_events(&given->table) & POLLPRI));
	while (table_events(&given->table) & POLLPRI && next_fault(&made))
		if (make_fault(&made, wanted, given) == -ENOMEM)
			EXPECT_TRUE(table_events(&given->table) & POLLPRI);
	EXPECT_LE(2, made.failed);
	kill_child(pid);
	rows_call_end(self, given);
}
#endif

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

/* ADD and forks */
#define SITE 5

struct add_call {
	struct table table;
	pid_t pid;
};

static int add(void *argument)
{
	const struct add_call *given = argument;

	return table_add(&given->table, given->pid, PROFIL_ADD_CHILDREN);
}

TEST_F(faults, failed_add_adds_nothing)
{
	struct add_call given = { .pid = child_that_spins(SITE) };
	struct faults_made made = { 0 };

	while (next_fault(&made)) {
		int result;

		ASSERT_OK(table_begin(&given.table, self->fd,
				      table_args(PROFIL_TABLE_TREE, FAST_NS)));
		result = make_fault(&made, add, &given);
		ASSERT_OK(table_take(&given.table, 0));
		EXPECT_EQ(!result, given.table.taken.processes);
		EXPECT_EQ(result ? 0 : -EALREADY,
			  table_add(&given.table, given.pid, 0));
		table_end(&given.table);
	}
	/*
	 * One for each of the 64 members for children, less those that memory for a
	 * slab takes, without which the call succeeds: how many depends on RCU.
	 */
	check_faults(&made, 32);
	kill_child(given.pid);
	check_no_table_is_left(self->fd);
}

/* The driver has memory for 64 children; that for more is allocated by a work. */
#define CHILDREN 70

static int fork_many(unsigned long nr)
{
	while (nr--)
		if (!CHILD_OK((spin(SITE, 4 * FAST_NS), 0)))
			return 1;
	return 0;
}

TEST_F(faults, children_without_memory_are_counted)
{
	pid_t pid = child_that_waits(fork_many, CHILDREN);
	struct table table;

	if (!focus_on_module())
		SKIP(return, "faults cannot be restricted to the module");
	ASSERT_OK(table_begin(&table, self->fd,
			      table_args(PROFIL_TABLE_TREE, FAST_NS)));
	ASSERT_OK(table_add(&table, pid, PROFIL_ADD_CHILDREN));
	fail_in_percent("100");
	kill(pid, SIGCONT);
	EXPECT_TRUE(exited_with(pid, 0));
	fail_in_percent("0");
	ASSERT_OK(table_take(&table, PROFIL_TAKE_LAST));
	EXPECT_TRUE(table_adds_up(&table));
	EXPECT_EQ(65, table.taken.processes);
	EXPECT_EQ(CHILDREN - 64, table.taken.unfollowed);
	EXPECT_LT(0, table.sum.ticks);
	table_end(&table);
	check_no_table_is_left(self->fd);
}

/* Look-ups */
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

static void check_samples(const faults_data *self, __u32 flags)
{
	struct folder folder = folder_new();
	struct table table;
	pid_t child;

	ASSERT_OK(program_copy(folder.program));
	ASSERT_OK(table_begin(&table, self->fd, table_args(flags, FAST_NS)));
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
	TH_LOG("%llu ticks, %llu hits, %llu without memory", table.sum.ticks,
	       table.sum.hits, table.sum.no_memory);
	table_end(&table);
	folder_end(&folder);
	check_no_table_is_left(self->fd);
}

TEST_F(faults, samples_without_memory_are_counted)
{
	check_samples(self, PROFIL_TABLE_THREADS);
}

#ifdef __x86_64__
TEST_F(faults, stacks_without_memory_are_counted)
{
	check_samples(self, PROFIL_TABLE_CALLERS);
}
#endif

TEST_HARNESS_MAIN
