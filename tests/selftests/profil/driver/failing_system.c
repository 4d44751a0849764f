// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of user memory is made to fail in system calls
 * other than START, STATS and STOP, of a program with a session: the driver's part
 * in them leaves the session as it was, or ends it as documented. Needs a kernel
 * with fault injection.
 */
#include "faults.h"

/* Exit statuses of a program that was executed, and of one that was not */
#define FAULT_LEFT 3
#define FAULT_CAME 4
#define NOT_EXECUTED 5

#define AFTER_EXEC "--after-exec"
#define CHILDREN 80

/* VERSION and open */
static int ask_version(void *fd)
{
	struct profil_version answer = version_blank();

	return version(*(int *)fd, &answer);
}

static int open_again(void *nothing)
{
	int fd = device_open();

	(void)nothing;
	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static void check_call(int fd, int (*make_call)(void *argument),
		       unsigned int least)
{
	struct faults_made made = { 0 };

	while (next_fault(&made))
		make_fault(&made, make_call, &fd);
	check_faults(&made, least);
}

TEST_F(faults, failed_version_and_open_change_nothing)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	check_call(self->fd, ask_version, 2);
	focus_on_nothing();
	check_call(self->fd, open_again, 1);
	check_counting(self->fd, self->counters);
}

/* Changes of mappings */
enum change { UNMAP, REPLACE, MOVE, DISCARD, PROTECT, CHANGES };

struct change_call {
	enum change change;
	char *counters;
	size_t size;
};

static int change_mapping(void *argument)
{
	const struct change_call *call_args = argument;
	char *at = call_args->counters;
	size_t size = call_args->size;
	void *moved = at;

	switch (call_args->change) {
	case UNMAP:
		return munmap(at, size) ? -errno : 0;
	case REPLACE:
		moved = mmap(at, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		return moved == MAP_FAILED ? -errno : 0;
	case MOVE:
		moved = mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED,
			       at + 2 * LARGE);
		return moved == MAP_FAILED ? -errno : 0;
	case DISCARD:
		return madvise(at, size, MADV_DONTNEED) ? -errno : 0;
	default:
		return mprotect(at, size, PROT_READ) ? -errno : 0;
	}
}

/* The states that profil.rst names for a change that succeeds or fails */
static bool state_is_documented(__u32 state, enum change change, int result)
{
	if (change == DISCARD || (result && change == PROTECT))
		return state == PROFIL_REGION_ON;
	if (change != PROTECT && !result)
		return state == PROFIL_REGION_UNMAPPED;
	return state == PROFIL_REGION_ON || state == PROFIL_REGION_UNMAPPED ||
	       state == PROFIL_REGION_FAULT;
}

static void check_change(int fd, enum change change)
{
	char *home = new_reserved(4 * LARGE);
	struct change_call args = { change, home, LARGE / 2 };
	struct start_call start_args = { fd, home, LARGE, FAST_NS };
	struct faults_made made = { 0 };
	int result;

	while (next_fault(&made)) {
		mmap(home, 4 * LARGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		ASSERT_OK(begin(&start_args));
		result = make_fault(&made, change_mapping, &args);
		EXPECT_TRUE(state_is_documented(region_state(fd, 0), change,
						result));
		ASSERT_OK(stop(fd, NULL));
		/* A move that fails leaves nothing mapped at its destination. */
		ASSERT_TRUE(change == MOVE ||
			    all_bytes(home + 2 * LARGE, 0, page_size()));
	}
	check_faults(&made, 0);
	munmap(home, 4 * LARGE);
}

TEST_F(faults, failed_mappings_end_regions_or_keep_them)
{
	enum change change;

	focus_on_nothing();
	for (change = 0; change < CHANGES; change++)
		check_change(self->fd, change);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* execve() */

/* This program, executed again: whether the fault of this task has come */
__attribute__((constructor)) static void after_exec(int argc, char **argv)
{
	char text[16] = "";
	int fd;

	if (argc != 2 || strcmp(argv[1], AFTER_EXEC))
		return;
	fd = open("/proc/thread-self/fail-nth", O_RDONLY);
	if (fd < 0 || read(fd, text, sizeof(text) - 1) <= 0)
		_exit(FAULT_CAME);
	_exit(strtoul(text, NULL, 10) ? FAULT_LEFT : FAULT_CAME);
}

/* A child has a fail-nth of its own. */
static void execute_with_fault(int fd, void *counters, struct report *report,
			       unsigned int nr)
{
	char *const argv[] = { "failing_system", AFTER_EXEC, NULL };

	if (!faults_open() || start_sites(fd, counters, 4, FAST_NS) ||
	    !spin_until(1, counters, 4, 2))
		_exit(125);
	set_fault(nr);
	execv("/proc/self/exe", argv);
	set_fault(0);
	report->ready = spin_until(1, counters, 4, counter(counters, 4, 1) + 2);
	_exit(NOT_EXECUTED);
}

TEST_F(faults, failed_exec_keeps_the_session_and_exec_ends_it)
{
	struct report *report = new_report();
	unsigned int nr, executed = 0, refused = 0;
	int status = 0;

	focus_on_nothing();
	for (nr = 1; nr < MOST_FAULTS && status != FAULT_LEFT << 8; nr++) {
		pid_t child = fork();

		ASSERT_LE(0, child);
		if (!child)
			execute_with_fault(self->fd, self->counters, report,
					   nr);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		ASSERT_NE(125 << 8, status);
		if (status == NOT_EXECUTED << 8)
			ASSERT_EQ(1, report->ready);
		refused += status == NOT_EXECUTED << 8;
		executed += status != NOT_EXECUTED << 8;
		report->ready = 0;
	}
	TH_LOG("%u refused, %u executed or killed", refused, executed);
	EXPECT_EQ(FAULT_LEFT << 8, status);
	EXPECT_LT(3, refused);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* A session that has ended is there for a moment more, and counts nothing. */
static bool is_profiled(int fd, const void *counters)
{
	__u64 before = counter(counters, 4, 1);

	while (has_session(fd) && counter(counters, 4, 1) == before)
		spin(1, NSEC_PER_MSEC);
	return counter(counters, 4, 1) != before;
}

/*
 * A child sets its session up before its first instruction, for which a worker
 * allocates.
 */

/* True if the child of a fork has a session. */
static bool child_is_profiled(int fd, const void *counters)
{
	return CHILD_OK(is_profiled(fd, counters) ? 0 : 1);
}

#define ANY_AMOUNT 0x40000000UL

struct tally {
	unsigned int faults;
	unsigned int without;
};

/*
 * Fork a child that may allocate *@amount. Set that to the amount before the failed
 * allocation, or before the last.
 */
static void fork_with_amount(const faults_data *self, enum fault_kind kind,
			     unsigned long *amount, struct tally *tally)
{
	unsigned long left;
	bool profiled, came;

	ASSERT_TRUE(allow_amount(kind, *amount));
	profiled = child_is_profiled(self->fd, self->counters);
	came = amount_was_used(kind, &left);
	EXPECT_TRUE(profiled || came);
	tally->faults += came;
	tally->without += !profiled;
	*amount -= left;
}

/* A first child shows how much it allocates. Each further has one fault. */
static void fork_with_each_fault(const faults_data *self, enum fault_kind kind,
				 struct tally *tally)
{
	unsigned long amount = ANY_AMOUNT;
	unsigned int forks = 0;

	if (!allow_amount(kind, amount))
		return; /* a kernel may lack this kind */
	do
		fork_with_amount(self, kind, &amount, tally);
	while (amount && ++forks < MOST_FAULTS);
	EXPECT_EQ(0, amount);
}

TEST_F(faults, child_without_memory_for_its_session_has_none)
{
	enum fault_kind kind;
	struct tally tally = { 0 };

	if (!focus_on_function("profil_session_watch"))
		SKIP(return, "faults cannot be restricted to a function");
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (kind = 0; kind < FAULT_KINDS; kind++)
		fork_with_each_fault(self, kind, &tally);
	TH_LOG("%u faults, %u children without a session", tally.faults,
	       tally.without);
	EXPECT_LT(0, tally.without);
	EXPECT_TRUE(child_is_profiled(self->fd, self->counters));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/*
 * Several faults in a child, and those of an allocation that few children make,
 * come at random.
 */
TEST_F(faults, children_without_memory_leave_the_parents_session)
{
	unsigned int nr = rounds_of(CHILDREN, 40), without = 0;

	if (!focus_on_function("profil_session_watch"))
		SKIP(return, "faults cannot be restricted to a function");
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	fail_in_percent("50");
	for (unsigned int i = 0; i < nr; i++)
		without += !child_is_profiled(self->fd, self->counters);
	fail_in_percent("0");
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_LT(0, without);
	TH_LOG("%u of %u children without a session", without, nr);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_HARNESS_MAIN
