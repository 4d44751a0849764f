// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions of one user take no time from CPUs that run other users' programs
 * only.
 */
#include "harness.h"
#include "machines/interrupts.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define ORDINARY_USER 65534
#define STARTS 400

static int use_cpu(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ? -errno : 0;
}

/* Function-call interrupts; -1 if the kernel has no count */
static long calls_on(unsigned int cpu)
{
	return interrupts_of("CAL:", cpu);
}

static void *sleep_on(void *unused)
{
	for (;;)
		pause();
	return unused;
}

/*
 * A program with two threads on CPU 0, which exits with 0 after STARTS
 * sessions.
 */
static void start_and_stop(void *counters)
{
	pthread_t thread;
	unsigned int i;
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (use_cpu(0) || setgid(ORDINARY_USER) || setuid(ORDINARY_USER) ||
	    pthread_create(&thread, NULL, sleep_on, NULL))
		_exit(1);
	fd = device_open();
	for (i = 0; i < STARTS; i++)
		if (start_sites(fd, counters, 4, FAST_NS) || stop(fd, NULL))
			_exit(2);
	_exit(0);
}

static bool is_over(pid_t child, int *status)
{
	return waitpid(child, status, WNOHANG) == child;
}

/*
 * Function-call interrupts of CPU 1, on which this thread spins, while another
 * user's program starts STARTS sessions on CPU 0; -1 if the program fails
 */
static long calls_during_starts(void)
{
	long before = calls_on(1);
	pid_t hostile = fork();
	int status;

	if (!hostile)
		start_and_stop(new_pages(page_size()));
	while (!is_over(hostile, &status))
		spin(3, NSEC_PER_MSEC);
	return status ? -1 : calls_on(1) - before;
}

#define ROUNDS 5

/*
 * This test's own session keeps the kernel hooked: hooking and unhooking
 * interrupt all CPUs. The kernel interrupts the CPU, too, the more often the
 * longer the program takes: one round of several has to be without.
 */
TEST_F(profil, start_interrupts_no_cpu_that_runs_none_of_its_threads)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	unsigned int round;
	long calls = STARTS;

	if (geteuid() || busy_threads_for_all_cpus() < 2 || calls_on(1) < 0)
		SKIP(return, "needs root and two CPUs");
	ASSERT_OK(use_cpu(1));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(3, self->counters, 4, 1));
	for (round = 0; round < ROUNDS && calls >= STARTS / 4; round++) {
		calls = calls_during_starts();
		ASSERT_LE(0, calls);
		TH_LOG("%ld calls in %d STARTs", calls, STARTS);
	}
	EXPECT_GT(STARTS / 4, calls);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

/*
 * START finds a process that shares the address space on its CPU, like a
 * thread.
 */
static volatile bool over;

static int spin_at_5(void *unused)
{
	(void)unused;
	if (use_cpu(1))
		return 1;
	while (!over)
		spin(5, NSEC_PER_MSEC);
	return 0;
}

static bool counts_eventually(const void *counters, size_t index)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (!counter(counters, 4, index)) {
		if (wall_ns() > until)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

TEST_F(profil, process_that_shares_the_memory_is_sampled_at_once)
{
	char *stack = new_pages(16 * page_size());
	unsigned int round;
	pid_t child;

	if (busy_threads_for_all_cpus() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_NE(NULL, stack);
	ASSERT_OK(use_cpu(0));
	over = false;
	child = clone(spin_at_5, stack + 16 * page_size(), CLONE_VM | SIGCHLD,
		      NULL);
	ASSERT_LT(0, child);
	for (round = 0; round < 20; round++) {
		memset(self->counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		EXPECT_TRUE(counts_eventually(self->counters, 5));
		ASSERT_OK(stop(self->fd, NULL));
	}
	over = true;
	EXPECT_TRUE(exited_with(child, 0));
}

TEST_HARNESS_MAIN
