// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each allocation and each copy of user memory in ATTACH, and in START, STATS and
 * STOP on an attached descriptor, is made to fail. A failed ATTACH attaches
 * nothing, a failed START or STATS keeps the session, and the descriptor is
 * attached after a failed STOP, too. Needs a kernel with fault injection.
 */
#include "faults.h"

#include "common.h"

#define SITE 5

struct attach_call {
	int fd;
	int pidfd;
	__u32 flags;
};

static int attach(void *argument)
{
	const struct attach_call *attempt = argument;

	return attach_by(attempt->fd, attempt->pidfd, attempt->flags);
}

/*
 * The kernel's own allocations, for new slabs, shift the numbers of the driver's
 * now and then, so that one round may miss an allocation.
 */
#define ROUNDS 5

static void check_attach(pid_t pid, __u32 flags, bool *failed_at)
{
	struct attach_call attempt = { .pidfd = pidfd_of(pid), .flags = flags };
	struct faults_made made = { 0 };
	int result;

	ASSERT_LE(0, attempt.pidfd);
	while (next_fault(&made)) {
		attempt.fd = device_open();
		ASSERT_LE(0, attempt.fd);
		result = make_fault(&made, attach, &attempt);
		ASSERT_EQ(result ? 0 : -EALREADY,
			  attach_by(attempt.fd, attempt.pidfd, 0));
		ASSERT_OK(close(attempt.fd));
		failed_at[made.nr] |= result != 0;
	}
	check_faults(&made, 0);
	close(attempt.pidfd);
}

/* At least two faults, in all rounds together, make ATTACH fail. */
static void check_rounds(pid_t pid, __u32 flags)
{
	bool failed_at[MOST_FAULTS] = { false };
	unsigned int i, failed = 0;

	for (i = 0; i < ROUNDS; i++)
		check_attach(pid, flags, failed_at);
	for (i = 0; i < MOST_FAULTS; i++)
		failed += failed_at[i];
	EXPECT_LE(2, failed);
	TH_LOG("%u faults make ATTACH fail", failed);
}

TEST_F(faults, failed_attach_attaches_nothing)
{
	pid_t pid = tracee_that_spins(SITE);

	check_rounds(pid, 0);
	check_rounds(pid, PROFIL_ATTACH_CHILDREN);
	kill_child(pid);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

static bool wait_for_more(int fd, const void *witness, __u64 count)
{
	return wait_for_count(fd, witness, SITE, count);
}

TEST_F(faults, failed_start_keeps_the_attached_session)
{
	pid_t pid = tracee_that_spins(SITE);

	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	check_failed_starts(self->fd, self->counters, wait_for_more);
	kill_child(pid);
}

TEST_F(faults, failed_stats_keeps_the_attached_session)
{
	pid_t pid = tracee_that_spins(SITE);

	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	check_failed_stats(self->fd);
	EXPECT_TRUE(wait_for_more(self->fd, self->counters, 3));
	ASSERT_OK(stop(self->fd, NULL));
	kill_child(pid);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

static bool wait_for_samples(int fd)
{
	return EVENTUALLY(stats_now(fd).samples >= 3, sleep_ns(NSEC_PER_MSEC));
}

/* Samples that come in each session show that its descriptor is attached. */
TEST_F(faults, failed_stop_ends_the_attached_session_or_keeps_it)
{
	pid_t pid = tracee_that_spins(SITE);
	struct start_call call_args = { .fd = self->fd,
					.size = LARGE,
					.counters = self->counters,
					.period_ns = FAST_NS,
					.totals = self->totals };

	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	check_failed_stops(&call_args, wait_for_samples);
	kill_child(pid);
}

/*
 * The driver has memory for 64 children; that for more is allocated by a work,
 * which fails here.
 */
#define CHILDREN 100

static int fork_many(void *nothing)
{
	int i;

	(void)nothing;
	for (i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child) {
			spin(SITE, 4 * FAST_NS);
			_exit(0);
		}
		if (!exited_with(child, 0))
			return 1;
	}
	return 0;
}

/* Let @pid run to its end while each allocation of the module fails. */
static bool ends_without_memory(pid_t pid)
{
	bool ended;

	fail_in_percent("100");
	tracee_release(pid);
	ended = exited_with(pid, 0);
	fail_in_percent("0");
	return ended;
}

TEST_F(faults, children_without_memory_are_counted)
{
	pid_t pid = tracee_new(fork_many, NULL);
	struct profil_stats seen;

	if (!focus_on_module())
		SKIP(return, "faults cannot be restricted to the module");
	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(ends_without_memory(pid));
	seen = stats_now(self->fd);
	TH_LOG("%llu unprofiled children, %llu samples",
	       seen.unprofiled_children, seen.samples);
	EXPECT_EQ(CHILDREN - 64, seen.unprofiled_children);
	EXPECT_LT(0, counter(self->counters, 4, SITE));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/* They fork while there is no session, which could count them. */
TEST_F(faults, children_without_memory_before_start_are_not_counted)
{
	pid_t pid = tracee_new(fork_many, NULL);
	pid_t other = tracee_that_spins(SITE);

	if (!focus_on_module())
		SKIP(return, "faults cannot be restricted to the module");
	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	ASSERT_OK(attach_to(self->fd, other, 0));
	EXPECT_TRUE(ends_without_memory(pid));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(other);
	EXPECT_TRUE(wait_for_more(self->fd, self->counters, 3));
	EXPECT_EQ(0, stats_now(self->fd).unprofiled_children);
	kill_child(other);
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_HARNESS_MAIN
