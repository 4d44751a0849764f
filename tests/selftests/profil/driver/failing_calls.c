// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of user memory in a call is made to fail, one
 * after the other. The call returns an error, leaves no page pinned and no
 * reference, and the next call works. Needs a kernel with fault injection.
 */
#include "faults.h"

static void check_start(struct start_call *call_args)
{
	struct faults_made made = { 0 };
	int result;

	while (next_fault(&made)) {
		madvise(call_args->counters, LARGE, MADV_DONTNEED);
		result = make_fault(&made, begin, call_args);
		ASSERT_EQ(result ? 0 : PROFIL_STATS_SESSION,
			  stats_now(call_args->fd).flags);
		if (!result)
			ASSERT_OK(stop(call_args->fd, NULL));
	}
	check_faults(&made, 3);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(faults, failed_start_starts_nothing)
{
	struct start_call call_args;

	for (unsigned int i = 0; i < 4; i++) {
		call_args = start_call_of(self, i & 1 ? LARGE : page_size(),
					  i & 2 ? FAST_NS : 0);
		check_start(&call_args);
	}
}

/* A page of these is a part of a huge page, which is entered in a table. */
TEST_F(faults, failed_start_in_huge_pages_starts_nothing)
{
	char *huge = new_huge(LARGE);
	struct start_call call_args = { self->fd, huge, page_size(), FAST_NS };

	if (!huge)
		SKIP(return, "the kernel has no transparent huge pages");
	check_start(&call_args);
}

/*
 * An entry of that table has a second allocation where the first fails, so both
 * have to fail.
 */
TEST_F(faults, start_without_memory_for_the_table_starts_nothing)
{
	unsigned long present = vm_event("thp_fault_alloc");
	char *huge = new_huge(LARGE);
	struct start_call call_args = { self->fd, huge, page_size(), FAST_NS };

	if (huge)
		memset(huge, 0, LARGE);
	if (vm_event("thp_fault_alloc") - present < LARGE / HUGE_BYTES)
		SKIP(return, "the kernel has no transparent huge pages");
	if (!focus_on_function("profil_pins_add"))
		SKIP(return, "faults cannot be restricted to a function");
	fail_in_percent("100");
	EXPECT_EQ(-ENOMEM, begin(&call_args));
	fail_in_percent("0");
	EXPECT_EQ(0, stats_now(self->fd).flags);
	EXPECT_TRUE(wait_for_nothing_left(1));
	ASSERT_OK(begin(&call_args));
	ASSERT_OK(stop(self->fd, NULL));
}

/* A work inserts the first notifier of an address space. */
TEST_F(faults, start_without_memory_for_the_notifier_starts_nothing)
{
	if (!focus_on_function("profil_session_watch"))
		SKIP(return, "faults cannot be restricted to a function");
	fail_in_percent("100");
	EXPECT_EQ(-ENOMEM, start_sites(self->fd, self->counters, 4, 0));
	fail_in_percent("0");
	EXPECT_EQ(0, stats_now(self->fd).flags);
	EXPECT_TRUE(wait_for_nothing_left(1));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	check_counting(self->fd, self->counters);
}

static bool spin_more(int fd, const void *witness, __u64 count)
{
	(void)fd;
	return spin_until(1, witness, 4, count);
}

TEST_F(faults, failed_start_keeps_the_running_session)
{
	check_failed_starts(self->fd, self->counters, spin_more);
}

/* STATS and STOP */
TEST_F(faults, failed_stats_changes_nothing)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	check_failed_stats(self->fd);
	check_counting(self->fd, self->counters);
}

static bool spin_a_while(int fd)
{
	(void)fd;
	spin(1, 3 * FAST_NS);
	return true;
}

TEST_F(faults, failed_stop_ends_the_session_or_keeps_it)
{
	struct start_call call_args = start_call_of(self, LARGE, FAST_NS);

	check_failed_stops(&call_args, spin_a_while);
}

/* fork counts a child without a session in unprofiled_children */
static int fork_and_ask(void *fd)
{
	pid_t child =
		IN_CHILD(stats_now(*(int *)fd).flags == PROFIL_STATS_SESSION);
	int status;

	if (child < 0)
		return -errno;
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status))
		return -ECHILD;
	return WEXITSTATUS(status);
}

/*
 * Fork until a child has a session, and add the other children to *@missed. On
 * PREEMPT_RT a fork takes a session that was allocated after the fork before it.
 * Where that allocation has failed, the child has none, although no fault comes
 * in its own fork, and a work allocates the next.
 */
static bool fork_until_profiled(int fd, __u64 *missed)
{
	int result;

	(void)EVENTUALLY((result = fork_and_ask(&fd)) != 0, ++*missed);
	return result == 1;
}

TEST_F(faults, fork_counts_unprofiled_children)
{
	__u64 missed = 0;
	unsigned int nr;
	bool came = true;
	int result;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		came = call_with_fault(nr, fork_and_ask, &self->fd, &result);
		ASSERT_TRUE(result >= 0 || result == -ENOMEM ||
			    result == -EAGAIN);
		missed += !result;
		ASSERT_EQ(missed, stats_now(self->fd).unprofiled_children);
		ASSERT_TRUE(fork_until_profiled(self->fd, &missed));
		ASSERT_EQ(missed, stats_now(self->fd).unprofiled_children);
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(1, result);
	EXPECT_LT(0, missed);
	TH_LOG("%u faults, %llu unprofiled children", nr - 1, missed);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	EXPECT_TRUE(wait_for_references(2));
	EXPECT_TRUE(only_session_is_charged(self->fd, self->counters));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* Every second allocation of the driver's worker fails */
TEST_F(faults, samples_without_memory_are_lost)
{
	struct start_call call_args = start_call_of(self, LARGE, FAST_NS);
	struct profil_stats seen = stats_blank(NULL, 0);
	const char *at;

	if (!focus_on_module())
		SKIP(return, "faults cannot be restricted to the module");
	ASSERT_OK(begin(&call_args));
	fail_in_percent("50");
	for (unsigned int nr = 0; nr < NR_SITES; nr++)
		spin(nr, 4 * FAST_NS);
	/* STATS may fail, too */
	while (stats(self->fd, &seen))
		seen = stats_blank(NULL, 0);
	fail_in_percent("0");
	TH_LOG("%llu hits, %llu lost", seen.hits, seen.lost);
	EXPECT_TRUE(adds_up(&seen));
	at = self->counters + 5 * SITE_ROOM;
	EXPECT_TRUE(spin_until_at(5, at, 4, counter(at, 4, 0) + 3));
	seen = stats_blank(NULL, 0);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, LARGE / 4));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_HARNESS_MAIN
