// SPDX-License-Identifier: GPL-2.0-only
/*
 * ADD and the end of a table while the processes of the tree fork, execute
 * programs and die, and CPUs go off. What the driver may have left is found by
 * the kernel's checkers and by the last lines of each test. Needs root.
 */
#include "one_table.h"

#include <poll.h>

#define SITE 5

static struct table *begin_tree(one_table_data *self, __u64 period_ns)
{
	struct profil_table args = table_args(PROFIL_TABLE_TREE, period_ns);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	return begin_with(self, args);
}

static void expect_nothing_left(one_table_data *self)
{
	end_table(self);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* Fork children that end at once, or execute a program that does. */
static int fork_forever(unsigned long executes)
{
	setpgid(0, 0);
	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		if (fork())
			continue;
		if (executes)
			execl("/proc/self/exe", "tree_races", "spin", "0",
			      NULL);
		_exit(0);
	}
	return 0;
}

static void end_group(pid_t group)
{
	kill(-group, SIGKILL);
	kill_child(group);
	/* The process may have made its group after the first signal. */
	kill(-group, SIGKILL);
}

#define CLOSES 40

/* Children that are forked while the table ends are in no tree. */
TEST_F(one_table, table_ends_amid_forks)
{
	for (unsigned int i = 0; i < rounds_of(CLOSES, 16); i++) {
		pid_t pid = child_that_waits(fork_forever, i % 2);
		struct table *table = begin_tree(self, i % 4 / 2 * FAST_NS);

		ASSERT_OK(table_add(table, pid, PROFIL_ADD_CHILDREN));
		kill(pid, SIGCONT);
		sleep_ns((2 + i % 20) * NSEC_PER_MSEC);
		take(table, i % 3 ? 0 : PROFIL_TAKE_LAST);
		end_table(self);
		end_group(pid);
	}
	expect_nothing_left(self);
}

/*
 * Ended processes do not stay in the tree: more are followed than there may be at a time,
 * as many as a half has counters. No TAKE removes them.
 */
#define AT_A_TIME 1024
#define ONE_BY_ONE (AT_A_TIME + 400)

static int fork_one_by_one(unsigned long nr)
{
	while (nr--)
		if (!CHILD_OK(0))
			return 1;
	return 0;
}

TEST_F(one_table, ended_processes_do_not_accumulate)
{
	unsigned int nr = rounds_of(ONE_BY_ONE, 100);
	pid_t pid = child_that_waits(fork_one_by_one, nr);
	struct table *table = begin_tree(self, 0);

	ASSERT_EQ(AT_A_TIME, table->nr);
	ASSERT_OK(table_add(table, pid, PROFIL_ADD_CHILDREN));
	kill(pid, SIGCONT);
	EXPECT_TRUE(exited_with(pid, 0));
	take(table, 0);
	TH_LOG("%llu processes, %llu run, %llu unfollowed",
	       table->taken.processes, table->taken.running,
	       table->taken.unfollowed);
	EXPECT_LT(rounds_of(AT_A_TIME, 0), table->taken.processes);
	EXPECT_EQ(1 + nr, table->taken.processes + table->taken.unfollowed);
	EXPECT_EQ(0, table->taken.running);
	EXPECT_EQ(POLLHUP, table_events(table) & POLLHUP);
	expect_nothing_left(self);
}

#define DEATHS 100

/* The process dies or executes a program at any moment of ADD. */
static int die_or_execute(unsigned long i)
{
	sleep_ns(i * 2 * NSEC_PER_MSEC / rounds_of(DEATHS, 40));
	if (i % 2)
		execl("/proc/self/exe", "tree_races", "spin", "1000000", NULL);
	return 0;
}

TEST_F(one_table, process_may_end_or_execute_during_add)
{
	struct table *table = begin_tree(self, FAST_NS);

	for (unsigned int i = 0; i < rounds_of(DEATHS, 40); i++) {
		pid_t pid = IN_CHILD(die_or_execute(i));
		int result = table_add(table, pid, i % 4);

		EXPECT_TRUE(!result || result == -ESRCH);
		EXPECT_TRUE(exited_with(pid, 0));
	}
	EXPECT_TRUE(WAIT_FOR(table_events(table) & POLLHUP));
	take(table, PROFIL_TAKE_LAST);
	EXPECT_EQ(0, table->taken.waiting);
	expect_nothing_left(self);
}

/* Commands of one descriptor in several threads */
#define THREADS 4

struct stage {
	struct table table;
	volatile bool over;
	volatile pid_t pid;
};

static void *call_until_over(void *argument)
{
	struct stage *stage = argument;
	struct table own = stage->table;
	unsigned int seed = (unsigned int)gettid();

	while (!stage->over) {
		if (rand_r(&seed) % 2)
			table_add(&own, stage->pid, rand_r(&seed) % 4);
		else if (rand_r(&seed) % 2)
			table_take(&own, 0);
		else
			table_events(&own);
	}
	return NULL;
}

TEST_F(one_table, commands_in_threads_while_processes_come_and_go)
{
	struct stage *stage = new_shared(page_size());
	__u64 until = wall_ns() + 4 * NSEC_PER_SEC;
	pthread_t threads[THREADS];

	stage->table = *begin_tree(self, FAST_NS);
	for (int i = 0; i < THREADS; i++)
		ASSERT_OK(pthread_create(&threads[i], NULL, call_until_over,
					 stage));
	while (wall_ns() < until) {
		pid_t pid = child_that_waits(fork_forever, 1);

		stage->pid = pid;
		kill(pid, SIGCONT);
		sleep_ns(20 * NSEC_PER_MSEC);
		end_group(pid);
	}
	stage->over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	expect_nothing_left(self);
}

/*
 * The CPU of a process goes off while the process runs there, and comes back:
 * the samples go on.
 */
#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"
#define ROUNDS 5

static bool counts_on(struct table *table)
{
	__u64 hits = table->sum.hits + 5;

	return WAIT_FOR(!table_take(table, 0) && table->sum.hits >= hits);
}

TEST_F(one_table, tree_survives_cpu_hotplug)
{
	pid_t pid = child_that_spins(SITE);
	struct table *table;

	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	table = begin_tree(self, FAST_NS);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	for (int round = 0; round < ROUNDS; round++) {
		ASSERT_OK(run_on(pid, 1));
		EXPECT_TRUE(counts_on(table));
		ASSERT_OK(write_text(CPU1_ONLINE, "0"));
		EXPECT_TRUE(counts_on(table));
		ASSERT_OK(write_text(CPU1_ONLINE, "1"));
	}
	take(table, PROFIL_TAKE_LAST);
	kill_child(pid);
}

/* The timer is one of a process that runs on, long before its next sample. */
TEST_F(one_table, table_ends_while_its_timers_are_armed)
{
	pid_t pid = child_that_spins(SITE);

	kill(pid, SIGCONT);
	for (int round = 0; round < 20; round++) {
		begin_tree(self, (round % 2 ? 1 : 40) * NSEC_PER_MSEC);
		ASSERT_OK(table_add(&self->table, pid, 0));
		sleep_ns(5 * NSEC_PER_MSEC);
		end_table(self);
	}
	sleep_ns(100 * NSEC_PER_MSEC); /* a timer that is left would expire */
	kill_child(pid);
	expect_nothing_left(self);
}

/* Execute the program that writes, and sleeps in that. */
static const char *path;

static int write_much(unsigned long bytes)
{
	char number[24];

	snprintf(number, sizeof(number), "%lu", bytes);
	execl(path, path, "write", number, NULL);
	return 1;
}

/* A process of the tree sleeps in a system call with a sample that waits. */
TEST_F(one_table, table_ends_while_a_process_sleeps)
{
	struct folder folder = folder_new();
	struct table *table = begin_tree(self, FAST_NS);
	pid_t pid;

	path = folder.program;
	ASSERT_OK(program_copy(path));
	pid = child_that_waits(write_much, 64 << 20);
	ASSERT_OK(table_add(table, pid, 0));
	kill(pid, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(!table_take(table, 0) && table->taken.waiting));
	expect_nothing_left(self);
	kill_child(pid);
	folder_end(&folder);
}

TEST_HARNESS_MAIN
