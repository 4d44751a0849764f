// SPDX-License-Identifier: GPL-2.0-only
/*
 * All threads of a program are sampled on all CPUs, and CPUs that share a
 * counter lose no sample. Sessions of one user take no time from CPUs that run other
 * users' programs only. counting/rates.c tests the rate.
 */
#include "harness.h"

#include "machines/interrupts.h"

/*
 * A worker spins at a site for @ns, then until its counter is at least @count.
 */
struct worker {
	pthread_t thread;
	unsigned int site;
	__u64 ns;
	const void *counters;
	__u32 width;
	__u64 count;
	bool counted;
};

static void *work(void *argument)
{
	struct worker *worker = argument;

	spin(worker->site, worker->ns);
	worker->counted = spin_until(worker->site, worker->counters,
				     worker->width, worker->count);
	return NULL;
}

static int begin(struct worker *workers, unsigned int nr)
{
	int error = 0;

	for (unsigned int i = 0; i < nr && !error; i++)
		error = pthread_create(&workers[i].thread, NULL, work,
				       &workers[i]);
	return error;
}

/* Join the workers. True if all have been counted. */
static bool finish(struct worker *workers, unsigned int nr)
{
	bool counted = true;

	for (unsigned int i = 0; i < nr; i++) {
		pthread_join(workers[i].thread, NULL);
		counted &= workers[i].counted;
	}
	return counted;
}

/* Four threads at one counter, or at adjacent counters in one word. */
static void meet(int fd, void *counters, __u32 width, unsigned int sites)
{
	struct worker workers[4];
	struct profil_stats seen;
	__u64 sum = 0;

	for (unsigned int i = 0; i < 4; i++)
		workers[i] = (struct worker){ .site = 20 + i % sites,
					      .ns = 150 * NSEC_PER_MSEC,
					      .counters = counters,
					      .width = width,
					      .count = 1 };
	memset(counters, 0, page_size());
	ASSERT_OK(start_sites(fd, counters, width, 100 * NSEC_PER_USEC));
	ASSERT_OK(begin(workers, 4));
	EXPECT_TRUE(finish(workers, 4));
	seen = end_session(fd);
	for (unsigned int i = 0; i < sites; i++)
		sum += counter(counters, width, 20 + i);
	TH_LOG("%u-bit counters, %u of them: %llu hits", 8 * width, sites, sum);
	EXPECT_EQ(seen.hits, sum);
	EXPECT_EQ(0, seen.lost);
}

TEST_F(profil, cpus_at_one_counter_or_adjacent_ones_lose_nothing)
{
	for (__u32 width = 2; width <= 8; width *= 2)
		for (unsigned int sites = 1; sites <= 2; sites++)
			meet(self->fd, self->counters, width, sites);
}

static void check_running_thread(int fd, void *counters, __u64 period_ns)
{
	struct worker worker = {
		.site = 7, .counters = counters, .width = 4, .count = 5
	};

	memset(counters, 0, page_size());
	ASSERT_OK(begin(&worker, 1));
	sleep_ns(50 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(fd, counters, 4, period_ns));
	EXPECT_TRUE(finish(&worker, 1));
	ASSERT_OK(stop(fd, NULL));
}

/*
 * No switch to the thread may occur for long: START itself must reach its CPU.
 */
TEST_F(profil, running_thread_is_sampled)
{
	check_running_thread(self->fd, self->counters, 0);
	check_running_thread(self->fd, self->counters, FAST_NS);
}

static void check_cpus(int fd, void *counters, __u64 period_ns)
{
	cpu_set_t cpus;

	ASSERT_OK(sched_getaffinity(0, sizeof(cpus), &cpus));
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &cpus))
			continue;
		ASSERT_OK(run_on(0, cpu));
		memset(counters, 0, page_size());
		ASSERT_OK(start_sites(fd, counters, 2, period_ns));
		EXPECT_TRUE(spin_until(30, counters, 2, 3));
		ASSERT_OK(stop(fd, NULL));
	}
	ASSERT_OK(sched_setaffinity(0, sizeof(cpus), &cpus));
}

TEST_F(profil, every_cpu_samples)
{
	check_cpus(self->fd, self->counters, 0);
	check_cpus(self->fd, self->counters, FAST_NS);
}

/* CPUs that run other users' programs */
#define ORDINARY_USER 65534
#define STARTS 400

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
	int fd;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (run_on(0, 0) || setgid(ORDINARY_USER) || setuid(ORDINARY_USER) ||
	    pthread_create(&thread, NULL, sleep_on, NULL))
		_exit(1);
	fd = device_open();
	for (unsigned int i = 0; i < STARTS; i++)
		if (start_sites(fd, counters, 4, FAST_NS) || stop(fd, NULL))
			_exit(2);
	_exit(0);
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
	while (waitpid(hostile, &status, WNOHANG) != hostile)
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
	unsigned int round;
	long calls = STARTS;

	if (geteuid() || busy_threads_for_all_cpus() < 2 || calls_on(1) < 0)
		SKIP(return, "needs root and two CPUs");
	ASSERT_OK(run_on(0, 1));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(3, self->counters, 4, 1));
	for (round = 0; round < ROUNDS && calls >= STARTS / 4; round++) {
		calls = calls_during_starts();
		ASSERT_LE(0, calls);
		TH_LOG("%ld calls in %d STARTs", calls, STARTS);
	}
	EXPECT_GT(STARTS / 4, calls);
	stop_and_check(self->fd, self->counters);
}

/*
 * START finds a process that shares the address space on its CPU, like a
 * thread.
 */
static volatile bool over;

static int spin_at_5(void *unused)
{
	(void)unused;
	if (run_on(0, 1))
		return 1;
	while (!over)
		spin(5, NSEC_PER_MSEC);
	return 0;
}

TEST_F(profil, process_that_shares_the_memory_is_sampled_at_once)
{
	pid_t child;

	if (busy_threads_for_all_cpus() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_OK(run_on(0, 0));
	over = false;
	child = child_by_clone(CLONE_VM, spin_at_5, NULL);
	ASSERT_LT(0, child);
	for (unsigned int round = 0; round < 20; round++) {
		memset(self->counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
		EXPECT_TRUE(WAIT_FOR(counter(self->counters, 4, 5)));
		ASSERT_OK(stop(self->fd, NULL));
	}
	over = true;
	EXPECT_TRUE(exited_with(child, 0));
}

TEST_HARNESS_MAIN
