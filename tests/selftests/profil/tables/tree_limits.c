// SPDX-License-Identifier: GPL-2.0-only
/* The order of the errors of ADD, and the limits of tables and of processes in them. */
#include "fault_order.h"
#include "rights.h"

#define AT(member) FAULT_AT(struct profil_add, member)

static const struct fault add_faults[] = {
	{ "size short", AT(size), 11, EINVAL },
	{ "size huge", AT(size), 0x80000000, E2BIG },
	{ "tail", .at = sizeof(struct profil_add), .bytes = 1, 1, E2BIG },
	{ "flag", AT(flags), 0x4, EINVAL },
	{ "highest flag", AT(flags), 1U << 31, EINVAL },
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

/* ADD returns nothing: its structure may be one that cannot be written. */
TEST_F(rights, add_takes_a_structure_that_cannot_be_written)
{
	struct profil_add *add = new_pages(page_size());
	pid_t pid = child_that_spins(SITE);
	struct table table;

	*add = (struct profil_add){ .size = sizeof(*add),
				    .pidfd = pidfd_of(pid) };
	ASSERT_OK(mprotect(add, page_size(), PROT_READ));
	ASSERT_OK(begin_tree(self, &table));
	EXPECT_OK(call(table.fd, PROFIL_TABLE_IOC_ADD, add));
	EXPECT_EQ(-EALREADY, call(table.fd, PROFIL_TABLE_IOC_ADD, add));
	kill(pid, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(!table_take(&table, 0) && table.taken.hits));
	close(add->pidfd);
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

/* A user's limit */

/* Open a tree without a mapping. A descriptor or a negative errno. */
static int open_tree(const rights_data *self, __u32 log2)
{
	struct profil_table args = tree_args(0);

	args.counters_log2 = log2;
	return table_open(self->fd, &args);
}

static bool can_open(const rights_data *self, unsigned int limit, __u32 log2)
{
	return !set_max_sessions(limit) &&
	       CHILD_OK(become_nobody() || open_tree(self, log2) < 0);
}

/* As many sessions as a tree is charged as: with fewer a user may not open it. */
static unsigned int charge_of(const rights_data *self, __u32 log2)
{
	unsigned int nr = 1;

	while (nr < 100 && !can_open(self, nr, log2))
		nr++;
	return nr;
}

#define SMALL PROFIL_TABLE_MIN_LOG2
#define LARGE 16

/* The numbers of profil.rst, for as many CPUs at most */
#define CPUS 13
#define SMALL_CHARGE 2
#define LARGE_CHARGE 21
#define LARGEST_CHARGE 80

TEST_F(rights, tree_is_charged_by_what_it_may_take)
{
	unsigned int small = charge_of(self, SMALL);
	unsigned int large = charge_of(self, LARGE);

	TH_LOG("trees of 2^%u and of 2^%u counters are %u and %u sessions",
	       SMALL, LARGE, small, large);
	EXPECT_LE(SMALL_CHARGE, small);
	if (sysconf(_SC_NPROCESSORS_CONF) <= CPUS) {
		EXPECT_EQ(SMALL_CHARGE, small);
		EXPECT_EQ(LARGE_CHARGE, large);
		EXPECT_EQ(LARGEST_CHARGE,
			  charge_of(self, PROFIL_TREE_MAX_LOG2));
	}
	ASSERT_OK(set_max_sessions(small + large));
	EXPECT_TRUE(PASSES_IN_CHILD(({
		int first;

		ASSERT_OK(become_nobody());
		first = open_tree(self, LARGE);
		EXPECT_LE(0, first);
		EXPECT_EQ(-EAGAIN, open_tree(self, LARGE));
		EXPECT_LE(0, open_tree(self, SMALL));
		EXPECT_EQ(-EAGAIN, open_tree(self, SMALL));
		close(first);
		EXPECT_LE(0, open_tree(self, LARGE));
		EXPECT_EQ(-EAGAIN, open_tree(self, SMALL));
	})));
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

#define CHILDREN 3
#define OTHERS 5

static bool has_forked(struct table *table)
{
	EXPECT_OK(table_take(table, 0));
	EXPECT_EQ(0, table->taken.unfollowed);
	return table->taken.running == 1 + CHILDREN;
}

/* A user at the limit adds processes, and follows them. */
static int check_members(const rights_data *self)
{
	struct table table = { .fd = become_nobody() ?:
						       open_tree(self, SMALL) };
	pid_t first, others[OTHERS];

	EXPECT_LE(0, table.fd);
	EXPECT_EQ(-EAGAIN,
		  start_one(self->fd, sites_region(new_pages(page_size()), 4),
			    4, 0, 0));
	first = child_that_waits(fork_children, CHILDREN);
	EXPECT_OK(table_add(&table, first, PROFIL_ADD_CHILDREN));
	kill(first, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(has_forked(&table)));
	for (unsigned int i = 0; i < OTHERS; i++) {
		others[i] = child_that_spins(SITE);
		EXPECT_OK(table_add(&table, others[i], 0));
	}
	EXPECT_OK(table_take(&table, 0));
	EXPECT_EQ(1 + CHILDREN + OTHERS, table.taken.running);
	EXPECT_EQ(1 + CHILDREN + OTHERS, table.taken.processes);
	EXPECT_EQ(-EAGAIN, open_tree(self, SMALL));
	kill_child(first);
	EXPECT_OK(table_take(&table, 0));
	EXPECT_EQ(CHILDREN + OTHERS, table.taken.running);
	/* They have the table's descriptor. */
	for (unsigned int i = 0; i < OTHERS; i++)
		kill_child(others[i]);
	close(table.fd);
	EXPECT_LE(0, open_tree(self, SMALL));
	return _metadata->exit_code;
}

TEST_F(rights, processes_in_a_tree_are_not_charged)
{
	ASSERT_OK(set_max_sessions(charge_of(self, SMALL)));
	EXPECT_EQ(0, wait_for_group(IN_GROUP(check_members(self))));
}

TEST_HARNESS_MAIN
