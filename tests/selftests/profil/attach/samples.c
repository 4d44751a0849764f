// SPDX-License-Identifier: GPL-2.0-only
/*
 * A descriptor that is attached to another process counts the samples of that
 * process, in memory of this one.
 */
#include "harness.h"

#include <unistd.h>

#include "report.h"
#include "tracee.h"

static void attach_and_count(struct __test_metadata *_metadata,
			     const profil_data *self, __u64 period_ns)
{
	unsigned int site = 5;
	pid_t pid = tracee_that_spins(&site);

	ASSERT_LT(0, pid);
	memset(self->counters, 0, page_size());
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 5));
	EXPECT_EQ(0, counter(self->counters, 4, 6));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	kill_child(pid);
	EXPECT_TRUE(wait_until_gone(self->fd));
	EXPECT_EQ(PROFIL_STATS_SESSION | PROFIL_STATS_GONE,
		  stats_now(self->fd).flags);
	stop_and_check(_metadata, self->fd, self->counters);
	EXPECT_EQ(PROFIL_STATS_GONE, stats_now(self->fd).flags);
}

TEST_F(profil, attached_process_is_sampled_by_the_timer)
{
	attach_and_count(_metadata, self, FAST_NS);
}

TEST_F(profil, attached_process_is_sampled_by_the_tick)
{
	attach_and_count(_metadata, self, 0);
}

/* The caller's own samples belong to another session, on another descriptor. */
TEST_F(profil, caller_is_not_sampled_by_the_attached_session)
{
	unsigned int site = 5;
	pid_t pid = tracee_that_spins(&site);
	void *own = new_pages(page_size());
	int fd = device_open();

	ASSERT_LT(0, pid);
	ASSERT_NE(NULL, own);
	ASSERT_LE(0, fd);
	ASSERT_OK(attach_to(fd, pid, 0));
	ASSERT_OK(start_sites(fd, self->counters, 4, FAST_NS));
	ASSERT_OK(start_sites(self->fd, own, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(spin_until(9, own, 4, 5));
	EXPECT_TRUE(wait_for_count(fd, self->counters, site, 5));
	EXPECT_EQ(0, counter(self->counters, 4, 9));
	EXPECT_EQ(0, counter(own, 4, site));
	stop_and_check(_metadata, fd, self->counters);
	stop_and_check(_metadata, self->fd, own);
	kill_child(pid);
	close(fd);
}

/*
 * The attached process has a session of its own, in shared memory.
 */
struct self_profiler {
	void *counters;
	__u64 period_ns;
};

static int profile_oneself(void *argument)
{
	const struct self_profiler *self = argument;
	unsigned int site = 7;
	int fd = device_open();

	if (start_sites(fd, self->counters, 4, self->period_ns))
		return 1;
	return spin_forever(&site);
}

static void check_both(struct __test_metadata *_metadata,
		       const profil_data *self, __u64 own_ns, __u64 attached_ns)
{
	struct self_profiler profiler = { new_shared(page_size()), own_ns };
	pid_t pid = tracee_new(profile_oneself, &profiler);
	int fd = device_open();

	ASSERT_NE(NULL, profiler.counters);
	ASSERT_LT(0, pid);
	memset(self->counters, 0, page_size());
	ASSERT_OK(attach_to(fd, pid, 0));
	ASSERT_OK(start_sites(fd, self->counters, 4, attached_ns));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(fd, self->counters, 7, 5));
	EXPECT_TRUE(wait_for_count(fd, profiler.counters, 7, 5));
	kill_child(pid);
	stop_and_check(_metadata, fd, self->counters);
	close(fd);
}

TEST_F(profil, own_and_attached_session_count_beside_each_other)
{
	check_both(_metadata, self, FAST_NS, 2 * FAST_NS);
	check_both(_metadata, self, FAST_NS, 0);
	check_both(_metadata, self, 0, FAST_NS);
	check_both(_metadata, self, 0, 0);
}

/* Threads run on other CPUs when the session starts. */
static int spin_in_threads(void *nothing)
{
	unsigned int site = 1;

	(void)nothing;
	if (busy_threads_begin(3, 2, true))
		return 1;
	return spin_forever(&site);
}

TEST_F(profil, threads_that_run_already_are_sampled)
{
	pid_t pid = tracee_new(spin_in_threads, NULL);
	unsigned int site;

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	sleep_ns(20 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (site = 1; site < 5; site++)
		EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
	kill_child(pid);
	stop_and_check(_metadata, self->fd, self->counters);
}

/* The session is there before the process is. */
TEST_F(profil, further_processes_join_the_session)
{
	unsigned int sites[2] = { 11, 12 };
	pid_t first = tracee_that_spins(&sites[0]);
	pid_t second = tracee_that_spins(&sites[1]);

	ASSERT_LT(0, first);
	ASSERT_LT(0, second);
	ASSERT_OK(attach_to(self->fd, first, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(first);
	ASSERT_OK(attach_to(self->fd, second, 0));
	tracee_release(second);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, 11, 3));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, 12, 3));
	kill_child(first);
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	kill_child(second);
	EXPECT_TRUE(wait_until_gone(self->fd));
	stop_and_check(_metadata, self->fd, self->counters);
}

/*
 * So many that some lie in the same bucket of the driver's table of 4096: each
 * is found there, the oldest behind the others.
 */
#define MANY 600

TEST_F(profil, each_of_many_processes_is_sampled)
{
	static unsigned int sites[MANY];
	static pid_t pids[MANY];
	unsigned int i;

	for (i = 0; i < MANY; i++) {
		sites[i] = i % NR_SITES;
		pids[i] = tracee_that_spins(&sites[i]);
		ASSERT_LT(0, pids[i]);
		ASSERT_OK(attach_to(self->fd, pids[i], 0));
	}
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (i = 0; i < MANY; i++) {
		__u64 before = counter(self->counters, 4, sites[i]);

		tracee_release(pids[i]);
		EXPECT_TRUE(wait_for_count(self->fd, self->counters, sites[i],
					   before + 1));
		kill_child(pids[i]);
	}
	EXPECT_TRUE(wait_until_gone(self->fd));
	stop_and_check(_metadata, self->fd, self->counters);
}

/* START in a second process that has the descriptor: its memory is counted in. */
TEST_F(profil, descriptor_can_be_passed_on)
{
	unsigned int site = 13;
	pid_t pid = tracee_that_spins(&site), child;

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	child = fork();
	if (!child) {
		EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
		EXIT_CHILD();
	}
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_EQ(0, counter(self->counters, 4, site));
	/* The session has ended with the memory that it counted in. */
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, site, 3));
	kill_child(pid);
}

TEST_HARNESS_MAIN
