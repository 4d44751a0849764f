// SPDX-License-Identifier: GPL-2.0-only
/* The order of the errors of ADD, and the limits of tables and of processes in them. */
#include "fault_order.h"
#include "rights.h"

#define AT(member) FAULT_AT(struct profil_add, member)

static const struct fault add_faults[] = {
	{ "size short", AT(size), 15, EINVAL },
	{ "size huge", AT(size), 0x80000000, E2BIG },
	{ "tail", .at = sizeof(struct profil_add), .bytes = 1, 1, E2BIG },
	{ "flag", AT(flags), 0x4, EINVAL },
	{ "highest flag", AT(flags), 1U << 31, EINVAL },
	{ "reserved", AT(reserved), 1, EINVAL },
	{ "no descriptor", AT(pidfd), -1U, EBADF },
	{ "descriptor of another kind", AT(pidfd), 0, EBADF },
};

union add_attempt {
	struct profil_add add;
	char bytes[64];
};

/* What is beside the faults is EPERM: the process is this one. */
static int add_with(int table, const struct fault *first,
		    const struct fault *second)
{
	int self = pidfd_of(getpid()), result;
	union add_attempt attempt = {
		.add = { .size = sizeof(attempt), .pidfd = self },
	};

	fault_apply(&attempt, second);
	fault_apply(&attempt, first);
	result = call(table, PROFIL_TABLE_IOC_ADD, &attempt);
	close(self);
	return result;
}

TEST_F(rights, errors_of_add_come_in_order)
{
	struct table table, machine;
	pid_t pid = child_that_spins(SITE), ended = fork();
	int pidfd;

	if (!ended)
		_exit(0);
	pidfd = pidfd_of(ended);
	ASSERT_OK(begin_tree(self, &table));
	ASSERT_OK(table_begin(&machine, self->fd, table_args(0, FAST_NS)));
	check_fault_order(table.fd, add_with, add_faults,
			  ARRAY_LENGTH(add_faults), 0);
	EXPECT_EQ(-EFAULT, call(table.fd, PROFIL_TABLE_IOC_ADD, NULL));
	EXPECT_EQ(-EINVAL, table_add_by(&machine, -1, 0));
	/* A zombie, then a process that is no more */
	ASSERT_OK(waitid(P_PID, ended, &(siginfo_t){ 0 }, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, table_add_by(&table, pidfd, 0));
	waitpid(ended, NULL, 0);
	EXPECT_EQ(-ESRCH, table_add_by(&table, pidfd, 0));
	EXPECT_EQ(-EPERM, table_add(&table, 2, 0)); /* a kernel thread */
	EXPECT_OK(table_add(&table, pid, 0));
	EXPECT_EQ(-EALREADY, table_add(&table, pid, 0));
	table_end(&machine);
	table_end(&table);
	kill_child(pid);
}

/* Limits */

/* The process is in as many tables as it may, of a user; root may add it to more. */
TEST_F(rights, process_is_in_some_tables_at_most)
{
	struct table tables[PROFIL_MAX_TREES], table;
	pid_t child = child_that_spins(SITE);

	for (int i = 0; i < PROFIL_MAX_TREES; i++) {
		ASSERT_OK(begin_tree(self, &tables[i]));
		ASSERT_OK(table_add(&tables[i], child, 0));
	}
	ASSERT_OK(begin_tree(self, &table));
	ASSERT_OK(table_add(&table, child, 0));
	kill(child, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(!table_take(&table, 0) && table.taken.hits));
	kill_child(child);
	table_end(&table);
	EXPECT_TRUE(PASSES_IN_CHILD(({
		pid_t own;

		ASSERT_OK(become_nobody());
		own = child_that_spins(SITE);
		for (int i = 0; i < PROFIL_MAX_TREES; i++) {
			ASSERT_OK(begin_tree(self, &tables[i]));
			ASSERT_OK(table_add(&tables[i], own, 0));
		}
		ASSERT_OK(begin_tree(self, &table));
		EXPECT_EQ(-EBUSY, table_add(&table, own, 0));
		EXPECT_EQ(-EALREADY, table_add(&tables[0], own, 0));
		table_end(&tables[3]);
		EXPECT_OK(table_add(&table, own, 0));
	})));
	for (int i = 0; i < PROFIL_MAX_TREES; i++)
		table_end(&tables[i]);
}

static int fork_children(unsigned long nr)
{
	close_range(3, ~0U, 0); /* the table's descriptor */
	while (nr--)
		if (!fork())
			pause();
	for (;;)
		pause();
	return 0;
}

static int spin_apart(unsigned long nr)
{
	close_range(3, ~0U, 0);
	return spin_forever(nr);
}

static bool has_forked(struct table *table, __u64 processes, __u64 unfollowed)
{
	EXPECT_OK(table_take(table, 0));
	EXPECT_EQ(table->taken.running, table->taken.processes);
	return table->taken.processes == processes &&
	       table->taken.unfollowed == unfollowed;
}

/* Without a mapping, which children would inherit. Its counters count as a session. */
static int open_tree(const rights_data *self, struct table *table)
{
	struct profil_table args = tree_args(0);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	memset(table, 0, sizeof(*table));
	table->fd = table_open(self->fd, &args);
	return table->fd < 0 ? table->fd : 0;
}

/* Of a large tree, each 256 KiB of counters count as a session. */
TEST_F(rights, trees_are_limited_by_size)
{
	struct profil_table args = tree_args(0);
	int large;

	ASSERT_OK(set_max_sessions(5));
	EXPECT_TRUE(PASSES_IN_CHILD(({
		ASSERT_OK(become_nobody());
		args.counters_log2 = 16; /* 2 MiB */
		EXPECT_EQ(-EAGAIN, table_open(self->fd, &args));
		args.counters_log2 = 15; /* 4 sessions */
		large = table_open(self->fd, &args);
		ASSERT_LE(0, large);
		EXPECT_EQ(-EAGAIN, table_open(self->fd, &args));
		args.counters_log2 = 13;
		ASSERT_LE(0, table_open(self->fd, &args));
		EXPECT_EQ(-EAGAIN, table_open(self->fd, &args));
		close(large);
		args.counters_log2 = 15;
		EXPECT_TRUE(WAIT_FOR(table_open(self->fd, &args) >= 0));
	})));
}

/* A tree and each process in it count as a session; what has ended does not. */
TEST_F(rights, trees_and_members_are_limited)
{
	struct table table, other;
	pid_t pid, first;

	ASSERT_OK(set_max_sessions(4));
	EXPECT_TRUE(PASSES_IN_CHILD(({
		ASSERT_OK(become_nobody());
		ASSERT_OK(open_tree(self, &table));
		first = child_that_waits(fork_children, 3);
		ASSERT_OK(table_add(&table, first, PROFIL_ADD_CHILDREN));
		kill(first, SIGCONT);
		EXPECT_TRUE(WAIT_FOR(has_forked(&table, 3, 1)));
		EXPECT_EQ(-EAGAIN, open_tree(self, &other));
		kill_child(first);
		EXPECT_OK(table_take(&table, 0));
		EXPECT_EQ(2, table.taken.running); /* so that one is free */
		ASSERT_OK(open_tree(self, &other));
		pid = child_that_waits(spin_apart, SITE);
		kill(pid, SIGCONT);
		EXPECT_EQ(-EAGAIN, table_add(&other, pid, 0));
		close(table.fd);
		EXPECT_TRUE(WAIT_FOR(!table_add(&other, pid, 0)));
	})));
}

TEST_HARNESS_MAIN
