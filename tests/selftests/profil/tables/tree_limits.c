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

/* The sessions that are charged to all users */
static unsigned int charged(void)
{
	unsigned int nr = 0;
	char line[64];

	FOR_EACH_LINE("/sys/kernel/debug/profil/books", line)
	if (sscanf(line, "charges %u", &nr) == 1)
		return fclose(file_), nr;
	return nr;
}

/* Open a tree and close it: the sessions that it is charged as */
static unsigned int charge_of_tree(const rights_data *self, __u32 log2,
				   bool has_callers)
{
	struct profil_table args =
		tree_args(has_callers ? PROFIL_TABLE_CALLERS : 0);
	unsigned int nr;
	int fd;

	/* What was ended before, by another test, too, may be on its way. */
	EXPECT_TRUE(WAIT_FOR(!charged()));
	args.counters_log2 = log2;
	fd = table_open(self->fd, &args);
	EXPECT_LE(0, fd);
	nr = charged();
	close(fd);
	EXPECT_TRUE(WAIT_FOR(!charged()));
	return nr;
}

#define SMALL PROFIL_TABLE_MIN_LOG2
#define LARGE 16
#define SESSION_BYTES 0x40000U
#ifdef __x86_64__
#define HAVE_CALLERS 1
#else
#define HAVE_CALLERS 0
#endif

/* The numbers of profil.rst, for as many CPUs at most */
#define CPUS 13
#define SMALL_CHARGE 2
#define LARGE_CHARGE 21
#define LARGEST_CHARGE 80

/* Another user has as much, which does not count. */
static int hold_trees(unsigned long fd)
{
	const rights_data self = { .fd = (int)fd };

	if (become_nobody() || open_tree(&self, LARGE) < 0 ||
	    open_tree(&self, SMALL) < 0)
		return 1;
	for (;;)
		pause();
}

TEST_F(rights, tree_is_charged_by_what_it_may_take)
{
	unsigned int small = charge_of_tree(self, SMALL, false);
	unsigned int large = charge_of_tree(self, LARGE, false);
	pid_t other;

	TH_LOG("trees of 2^%u and of 2^%u counters are %u and %u sessions",
	       SMALL, LARGE, small, large);
	EXPECT_LE(SMALL_CHARGE, small);
	if (sysconf(_SC_NPROCESSORS_CONF) <= CPUS) {
		EXPECT_EQ(SMALL_CHARGE, small);
		EXPECT_EQ(LARGE_CHARGE, large);
		EXPECT_EQ(LARGEST_CHARGE,
			  charge_of_tree(self, PROFIL_TREE_MAX_LOG2, false));
	}
	ASSERT_OK(set_max_sessions(small + large));
	other = child_that_waits(hold_trees, (unsigned long)self->fd);
	kill(other, SIGCONT);
	EXPECT_TRUE(WAIT_FOR(charged() == small + large));
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
	EXPECT_TRUE(WAIT_FOR(charged() == small + large));
	kill_child(other);
	EXPECT_TRUE(WAIT_FOR(!charged()));
}

/* What the manual says of memory, in bytes. Fixed sizes are less than FIXED in all. */
#define KIB 1024ULL
#define FIXED (48 * KIB)

/* A place for each 16 counters, or a quarter of one for a program */
static __u64 places_of(__u32 log2)
{
	return 1ULL << (log2 < 12 ? 8 : log2 - 4);
}

static __u64 bytes_for_callers(__u32 log2)
{
	__u64 eighth = (sizeof(struct profil_counter) << log2) / 8;

	return 2 * (eighth + 32 * KIB) +
	       2 * (eighth + 16 * KIB + 2 * places_of(log2)) + 16384 * KIB +
	       303 * KIB + 166 * KIB * (__u64)sysconf(_SC_NPROCESSORS_CONF);
}

static __u64 bytes_of_tree(__u32 log2, bool has_callers)
{
	__u64 counters = sizeof(struct profil_counter) << log2;

	return 4 * counters + (has_callers ? bytes_for_callers(log2) :
					     2 * 120 * places_of(log2));
}

static unsigned int sessions_of(__u64 bytes)
{
	return (unsigned int)((bytes + SESSION_BYTES - 1) / SESSION_BYTES);
}

/* All that a tree may allocate is charged, and given back when it is closed. */
TEST_F(rights, charge_is_that_of_the_manual)
{
	unsigned int items =
		sessions_of(20 * KIB * (__u64)sysconf(_SC_NPROCESSORS_CONF));

	if (access("/sys/kernel/debug/profil/books", R_OK))
		SKIP(return, "debugfs is not mounted");
	for (__u32 log2 = SMALL; log2 <= PROFIL_TREE_MAX_LOG2; log2++)
		for (int callers = 0; callers <= HAVE_CALLERS; callers++) {
			__u64 bytes = bytes_of_tree(log2, callers);
			unsigned int nr = charge_of_tree(self, log2, callers);

			EXPECT_LE(items + sessions_of(bytes), nr);
			EXPECT_GE(items + sessions_of(bytes + FIXED), nr)
			{
				TH_LOG("2^%u counters, callers: %d", log2,
				       callers);
			}
		}
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
	ASSERT_OK(set_max_sessions(charge_of_tree(self, SMALL, false)));
	EXPECT_EQ(0, wait_for_group(IN_GROUP(check_members(self))));
}

TEST_HARNESS_MAIN
