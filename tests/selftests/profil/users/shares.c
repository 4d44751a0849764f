// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a user takes from tables of others, and from the machine: processes that root
 * follows, items for samples that wait, and the memory of his own tables.
 */
#include "rights.h"

#include <poll.h>

/*
 * Processes: a user's process forks more children than the tree that follows it may have,
 * and root has no less for that.
 */
#define MOST 1024 /* counters of a half of the smallest table */
#define STEP 32
#define BEYOND 37
#define LIMIT 23 /* of sessions */

/* @asked, @forked: numbers of children */
struct crowd {
	volatile unsigned int asked;
	volatile unsigned int forked;
};

static void fork_on_demand(void *argument)
{
	struct crowd *crowd = argument;

	close_range(3, ~0U, 0);
	for (;; sleep_ns(NSEC_PER_MSEC))
		for (; crowd->forked < crowd->asked; crowd->forked++) {
			pid_t pid = IN_CHILD(({
				prctl(PR_SET_PDEATHSIG, SIGKILL);
				pause();
				0;
			}));

			if (pid < 0)
				_exit(1);
		}
}

static bool fork_more(struct crowd *crowd, unsigned int nr)
{
	crowd->asked += nr;
	return WAIT_FOR(crowd->forked == crowd->asked);
}

static int open_tree(const rights_data *self)
{
	struct profil_table args = tree_args(0);

	args.counters_log2 = PROFIL_TABLE_MIN_LOG2;
	return table_open(self->fd, &args);
}

static __u64 running(struct table *table)
{
	EXPECT_OK(table_take(table, 0));
	return table->taken.running;
}

/* Beyond the limit children are not followed, and no other process is added. */
static void check_full(struct table *table, struct crowd *crowd)
{
	pid_t other = child_that_spins(SITE);
	__u64 unfollowed;

	EXPECT_TRUE(EVENTUALLY(running(table) >= MOST, fork_more(crowd, STEP)));
	unfollowed = table->taken.unfollowed;
	EXPECT_TRUE(fork_more(crowd, BEYOND));
	EXPECT_EQ(MOST, running(table));
	EXPECT_EQ(MOST, table->taken.processes);
	EXPECT_EQ(unfollowed + BEYOND, table->taken.unfollowed);
	EXPECT_EQ(1 + crowd->forked,
		  table->taken.processes + table->taken.unfollowed);
	EXPECT_EQ(-EAGAIN, table_add(table, other, 0));
	kill_child(other);
}

static void check_root(const rights_data *self)
{
	void *counters = new_pages(page_size());
	int tree = open_tree(self), machine;
	struct profil_table args = table_args(0, 0);

	EXPECT_LE(0, tree);
	machine = table_open(self->fd, &args);
	EXPECT_LE(0, machine);
	EXPECT_OK(start_sites(self->fd, counters, 4, 0));
	EXPECT_OK(stop(self->fd, NULL));
	close(tree);
	close(machine);
}

TEST_F(rights, followed_processes_of_a_user_cost_root_nothing)
{
	struct crowd *crowd = new_shared(page_size());
	pid_t first, other;
	struct table table;

	ASSERT_OK(set_max_sessions(LIMIT));
	first = fork_user(new_user(), fork_on_demand, crowd);
	ASSERT_LT(0, first);
	table = (struct table){ .fd = open_tree(self) };
	ASSERT_LE(0, table.fd);
	ASSERT_OK(table_add(&table, first, PROFIL_ADD_CHILDREN));
	check_full(&table, crowd);
	check_root(self);
	kill_child(first);
	EXPECT_TRUE(WAIT_FOR(!running(&table)));
	EXPECT_EQ(POLLHUP, table_events(&table) & POLLHUP);
	other = child_that_spins(SITE);
	EXPECT_OK(table_add(&table, other, 0));
	EXPECT_EQ(1, running(&table));
	EXPECT_EQ(MOST + 1, table.taken.processes);
	kill_child(other);
	close(table.fd);
}

/*
 * Items: processes of a user that were sampled in a system call sleep in it. They are more
 * than a CPU has items, and another user's processes beside them have items, too.
 */
#define SLEEPERS 150
#define OTHERS 20

/* A pipe holds half of that, and a sleeper writes as much as it does not hold. */
#define LEFT_BYTES 0x20000UL

/* What a sleeper becomes, by @become(@user) */
struct kind {
	int (*become)(const void *user);
	const void *user;
};

static int become_plain(const void *user)
{
	return become_user(*(const uid_t *)user, 0);
}

/* In one call, from code that no sample has seen. */
static int write_and_sleep(const struct kind *kind, int fd, size_t bytes)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	dup2(fd, 3);
	close_range(4, ~0U, 0);
	if (kind->become(kind->user))
		return 1;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	new_call()(SYS_write, 3, (long)new_pages(bytes), (long)bytes);
	return 1;
}

static bool read_all(int fd, size_t bytes)
{
	static char data[0x10000];
	ssize_t got = 1;

	while (bytes && got > 0) {
		got = read(fd, data,
			   bytes < sizeof(data) ? bytes : sizeof(data));
		bytes -= got > 0 ? (size_t)got : 0;
	}
	return !bytes;
}

/**
 * struct sleeper - a process that sleeps in a call
 * @pid: the process
 * @fd: the end of its pipe for reading, without which it would get a signal
 */
static struct sleeper {
	pid_t pid;
	int fd;
} sleepers[SLEEPERS + OTHERS];

static unsigned int nr_sleepers;

static void begin_sleeper(const struct kind *kind, size_t bytes)
{
	struct sleeper *sleeper = &sleepers[nr_sleepers++];
	int ends[2];

	ASSERT_OK(pipe(ends));
	sleeper->fd = ends[0];
	sleeper->pid = IN_CHILD(write_and_sleep(kind, ends[1], bytes));
	close(ends[1]);
	ASSERT_TRUE(read_all(ends[0], bytes - LEFT_BYTES));
	ASSERT_TRUE(WAIT_FOR(stays_in_state(sleeper->pid, sleeper->pid, 'S')));
}

static void end_sleepers(void)
{
	while (nr_sleepers) {
		kill_child(sleepers[--nr_sleepers].pid);
		close(sleepers[nr_sleepers].fd);
	}
}

static void take(struct table *table)
{
	ASSERT_OK(table_take(table, 0));
	EXPECT_TRUE(table_adds_up(table));
}

/* The test's own samples may wait while TAKE is slow. */
static bool no_sleeper_waits(struct table *table)
{
	spin(SITE, 20 * FAST_NS);
	take(table);
	return table->taken.waiting < OTHERS / 2;
}

enum share { NOT_SAMPLED, TAKEN, SPARED };

static void begin_sleepers(struct kind kinds[], unsigned int nr_kinds,
			   size_t bytes)
{
	for (unsigned int i = 0; i < SLEEPERS; i++)
		begin_sleeper(&kinds[i % nr_kinds], bytes);
}

/*
 * What becomes of the others' share. TAKE takes the items of the sleepers back after one
 * whole interval, so that each user has one of his own.
 */
static enum share share_of_others(struct table *table, struct kind kinds[],
				  unsigned int nr_kinds, size_t bytes)
{
	uid_t other = new_user();
	const struct kind other_kind = { become_plain, &other };
	enum share share = NOT_SAMPLED;

	begin_sleepers(kinds, nr_kinds, bytes);
	take(table);
	TH_LOG("user: %llu wait, %llu without item", table->taken.waiting,
	       table->taken.no_item);
	if (table->taken.no_item) {
		for (unsigned int i = 0; i < OTHERS; i++)
			begin_sleeper(&other_kind, bytes);
		take(table);
		TH_LOG("other: %llu wait, %llu without item, %llu cancelled",
		       table->taken.waiting, table->taken.no_item,
		       table->taken.cancelled);
		EXPECT_LE(SLEEPERS / 4, table->taken.cancelled);
		share = table->taken.no_item ? TAKEN : SPARED;
		take(table);
		EXPECT_LE(1, table->taken.cancelled);
		ASSERT_TRUE(EVENTUALLY(no_sleeper_waits(table), 0));
	}
	end_sleepers();
	return share;
}

/*
 * What becomes of samples in user mode, of code that is new: the sleepers of all users hold
 * each item that they may.
 */
static enum share share_of_user_mode(struct table *table, struct kind kinds[],
				     unsigned int nr_kinds, size_t bytes)
{
	struct folder folder = folder_new();
	struct stat program;
	__u64 samples;
	pid_t child;

	ASSERT_OK(program_copy(folder.program));
	ASSERT_OK(stat(folder.program, &program));
	begin_sleepers(kinds, nr_kinds, bytes);
	child = program_new(folder.program, "spin", 1000 * FAST_NS);
	EXPECT_TRUE(exited_with(child, 0));
	take(table);
	samples = table_program_samples(table, &program);
	TH_LOG("%llu samples of new code, %llu wait, %llu without item",
	       samples, table->taken.waiting, table->taken.no_item);
	end_sleepers();
	folder_end(&folder);
	if (!table->taken.no_item)
		return NOT_SAMPLED;
	return samples ? SPARED : TAKEN;
}

typedef enum share share_of(struct table *table, struct kind kinds[],
			    unsigned int nr_kinds, size_t bytes);

/* Two users have one share by chance in one of 64 tables. */
#define TRIES 4

static void check_share(const rights_data *self, share_of *share_of,
			struct kind kinds[], unsigned int nr_kinds)
{
	enum share share = NOT_SAMPLED;
	size_t bytes = 4 << 20;

	ASSERT_OK(run_on(0, 0));
	for (int i = 0; i < TRIES && share != SPARED;) {
		struct profil_table args = table_args(0, FAST_NS);
		struct table table;

		ASSERT_OK(table_begin(&table, self->fd, args));
		share = share_of(&table, kinds, nr_kinds, bytes);
		table_end(&table);
		/* A fast machine needs more work for a sample. */
		if (share == NOT_SAMPLED)
			bytes *= 2;
		else
			i++;
		ASSERT_GT(1UL << 30, bytes);
	}
	EXPECT_EQ(SPARED, share);
}

TEST_F(rights, calls_that_sleep_leave_items_to_other_users)
{
	uid_t user = new_user();
	struct kind kind = { become_plain, &user };

	check_share(self, share_of_others, &kind, 1);
}

/* Each user has half of the items of a CPU at most: several have all of them. */
#define USERS 4

TEST_F(rights, calls_that_sleep_leave_items_to_samples_in_user_mode)
{
	uid_t users[USERS];
	struct kind kinds[USERS];

	for (unsigned int i = 0; i < USERS; i++) {
		users[i] = new_user();
		kinds[i] = (struct kind){ become_plain, &users[i] };
	}
	check_share(self, share_of_user_mode, kinds, USERS);
}

/* The users of a namespace are its owner. */
TEST_F(rights, users_of_a_namespace_have_the_items_of_its_owner)
{
	struct mapped users[MAPPED_IDS];
	struct kind kinds[MAPPED_IDS];
	uid_t owner = new_user();

	if (access("/proc/self/ns/user", R_OK))
		SKIP(return, "the kernel has no user namespaces");
	for (uid_t i = 0; i < MAPPED_IDS; i++) {
		users[i] = (struct mapped){ .owner = owner, .id = i + 1 };
		kinds[i] = (struct kind){ become_mapped, &users[i] };
	}
	check_share(self, share_of_others, kinds, MAPPED_IDS);
}

/* Memory: all tables that a user may have take no more than his sessions stand for. */
#define MEMORY_LIMIT 203 /* of sessions */
#define SESSION_KIB 256

/* Rounding to pages, descriptors, and what a kernel with checkers adds */
#define TOLERANCE_KIB (MEMORY_LIMIT * SESSION_KIB / 4)

/* Memory that the kernel has for itself, without page tables and stacks */
static long kernel_kib(void)
{
	static const char *const names[] = { "VmallocUsed:", "Percpu:",
					     "Slab:" };
	char line[128];
	long sum = 0;

	FOR_EACH_LINE("/proc/meminfo", line)
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++)
		if (!strncmp(line, names[i], strlen(names[i])))
			sum += strtol(line + strlen(names[i]), NULL, 10);
	return sum;
}

static int open_all(const rights_data *self, __u32 log2)
{
	struct profil_table args = tree_args(0);
	const long counters_kib =
		(2L << log2) * (long)sizeof(struct profil_counter) / 1024;
	long before = kernel_kib(), nr = 0, grown;
	int table = -EAGAIN;

	EXPECT_OK(become_nobody());
	args.counters_log2 = log2;
	while ((table = table_open(self->fd, &args)) >= 0)
		nr++;
	EXPECT_EQ(-EAGAIN, table);
	grown = kernel_kib() - before;
	TH_LOG("%ld tables of 2^%u counters: %ld KiB, %ld KiB each", nr, log2,
	       grown, nr ? grown / nr : 0);
	EXPECT_LT(0, nr);
	EXPECT_LE(nr * counters_kib, grown);
	EXPECT_GE(MEMORY_LIMIT * SESSION_KIB + TOLERANCE_KIB, grown);
	return _metadata->exit_code;
}

TEST_F(rights, memory_of_a_users_tables_is_limited)
{
	static const __u32 sizes[] = { PROFIL_TABLE_MIN_LOG2, 13,
				       PROFIL_TREE_MAX_LOG2 };

	ASSERT_OK(set_max_sessions(MEMORY_LIMIT));
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++)
		EXPECT_TRUE(CHILD_OK(open_all(self, sizes[i])));
}

TEST_HARNESS_MAIN
