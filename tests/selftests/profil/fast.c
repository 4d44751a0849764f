// SPDX-License-Identifier: GPL-2.0-only
/*
 * The clock that is faster than the tick: its rate, who may have it, whom it
 * samples and whom it leaves alone, and CPUs that come and go under it.
 *
 * The upper bounds say that nobody is sampled more often than he asked for.
 * The lower ones allow for machines that stand still, see common.h.
 */
#include "harness.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>

static struct profil_stats stats_now(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	if (stats(fd, &seen))
		memset(&seen, 0, sizeof(seen));
	return seen;
}

/* How long to spin so that some 300 samples are due, or more. */
static __u64 enough(__u64 period_ns)
{
	__u64 ns = 300 * period_ns;

	return ns > 100 * NSEC_PER_MSEC ? ns : 100 * NSEC_PER_MSEC;
}

/* What a thread was due, and what it got. */
struct measure {
	__u64 period_ns;
	__u64 steady_ns;
	__u64 used_ns;
	__u64 samples;
};

/* Few emulators can have an interrupt much more often than each millisecond. */
static void check_measure(struct __test_metadata *_metadata,
			  const struct measure *measure)
{
	__u64 period_ns = measure->period_ns;
	__u64 sure_ns = period_ns < NSEC_PER_MSEC ? NSEC_PER_MSEC : period_ns;

	TH_LOG("period %llu us: %llu samples, %llu to %llu due",
	       period_ns / NSEC_PER_USEC, measure->samples,
	       measure->steady_ns / period_ns, measure->used_ns / period_ns);
	EXPECT_LE(fewest(measure->steady_ns, sure_ns), measure->samples);
	EXPECT_GE(most(measure->used_ns, period_ns), measure->samples);
}

/* Profile this process, with this one thread, from START to STOP. */
static int measure_alone(int fd, void *counters, __u64 ask_ns,
			 struct measure *measure)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 used;
	int error;

	memset(counters, 0, page_size());
	error = start_sites(fd, counters, 4, ask_ns);
	if (error)
		return error;
	used = thread_ns();
	measure->period_ns = stats_now(fd).period_ns;
	measure->steady_ns =
		spin_steady(9, enough(measure->period_ns), measure->period_ns);
	measure->used_ns = thread_ns() - used;
	error = stop(fd, &seen);
	measure->samples = seen.samples;
	return error ? error : adds_up(&seen) ? 0 : -EPROTO;
}

/*
 * The rate
 */
TEST_F(profil, rate_is_the_one_asked_for)
{
	static const __u64 periods[] = {
		0,	 5 * NSEC_PER_MSEC,   NSEC_PER_MSEC,
		1234567, 500 * NSEC_PER_USEC, 100 * NSEC_PER_USEC
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(periods); i++) {
		struct measure measure = { 0 };

		ASSERT_OK(measure_alone(self->fd, self->counters, periods[i],
					&measure));
		EXPECT_EQ(periods[i] ? periods[i] : tick_ns(self->fd),
			  measure.period_ns);
		check_measure(_metadata, &measure);
	}
}

TEST_F(profil, period_used_is_returned)
{
	static const __u64 periods[] = { 100 * NSEC_PER_USEC, 333333,
					 NSEC_PER_MSEC, 20 * NSEC_PER_MSEC,
					 NSEC_PER_SEC };
	struct profil_region region = sites_region(self->counters, 4);
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(periods); i++) {
		struct profil_start args = start_of(&region, 1, 4, periods[i]);

		ASSERT_OK(start(self->fd, &args));
		EXPECT_EQ(periods[i], args.period_ns);
		EXPECT_EQ(periods[i], stats_now(self->fd).period_ns);
	}
}

/*
 * Programs that use a CPU for less than a period at a time, and sleep then, are
 * sampled for what they use: neither each time nor never.
 */
TEST_F(profil, short_bursts_are_sampled_without_bias)
{
	struct measure measure = { .period_ns = NSEC_PER_MSEC };
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 used, until = wall_ns() + 3 * PATIENCE_NS;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, NSEC_PER_MSEC));
	used = thread_ns();
	while (thread_ns() - used < 150 * NSEC_PER_MSEC) {
		measure.steady_ns +=
			spin_steady(7, 300 * NSEC_PER_USEC, NSEC_PER_MSEC);
		sleep_ns(1700 * NSEC_PER_USEC);
		ASSERT_GT(until, wall_ns());
	}
	measure.used_ns = thread_ns() - used;
	ASSERT_OK(stop(self->fd, &seen));
	measure.samples = seen.samples;
	check_measure(_metadata, &measure);
}

struct spinner {
	pthread_t thread;
	unsigned int site;
	struct measure measure;
};

static void *spin_and_measure(void *argument)
{
	struct spinner *spinner = argument;
	struct measure *measure = &spinner->measure;

	__u64 period_ns = measure->period_ns;

	measure->steady_ns =
		spin_steady(spinner->site, enough(period_ns), period_ns);
	measure->used_ns = thread_ns();
	return NULL;
}

TEST_F(profil, each_of_two_threads_has_the_whole_rate)
{
	struct spinner spinners[2];
	unsigned int i;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, NSEC_PER_MSEC));
	for (i = 0; i < 2; i++) {
		spinners[i] =
			(struct spinner){ .site = 11 + i,
					  .measure.period_ns = NSEC_PER_MSEC };
		ASSERT_OK(pthread_create(&spinners[i].thread, NULL,
					 spin_and_measure, &spinners[i]));
	}
	for (i = 0; i < 2; i++)
		pthread_join(spinners[i].thread, NULL);
	ASSERT_OK(stop(self->fd, NULL));
	for (i = 0; i < 2; i++) {
		spinners[i].measure.samples =
			counter(self->counters, 4, 11 + i);
		check_measure(_metadata, &spinners[i].measure);
	}
}

/*
 * Several processes, each with a clock of its own, on the same CPUs
 */
struct report {
	struct measure measure;
	volatile int ready;
	volatile int go;
	int error;
};

static void measure_in_child(int fd, void *counters, __u64 ask_ns,
			     struct report *report)
{
	report->ready = 1;
	while (!report->go)
		sleep_ns(NSEC_PER_MSEC);
	report->error = measure_alone(fd, counters, ask_ns, &report->measure);
	_exit(0);
}

/* Child by child; they wait for each other, so as to run at the same time. */
static void measure_together(struct __test_metadata *_metadata,
			     const profil_data *self, const __u64 *periods,
			     size_t nr)
{
	struct report *reports = new_shared(page_size());
	pid_t children[16];
	size_t i;

	ASSERT_NE(NULL, reports);
	for (i = 0; i < nr; i++) {
		children[i] = fork();
		if (!children[i])
			measure_in_child(self->fd, self->counters, periods[i],
					 &reports[i]);
		ASSERT_LT(0, children[i]);
	}
	for (i = 0; i < nr; i++)
		while (!reports[i].ready)
			sleep_ns(NSEC_PER_MSEC);
	for (i = 0; i < nr; i++)
		reports[i].go = 1;
	for (i = 0; i < nr; i++) {
		EXPECT_TRUE(exited_with(children[i], 0));
		EXPECT_EQ(0, reports[i].error);
		check_measure(_metadata, &reports[i].measure);
	}
}

TEST_F(profil, tick_and_fast_clock_do_not_disturb_each_other)
{
	static const __u64 periods[] = { 0, NSEC_PER_MSEC, 0, NSEC_PER_MSEC };

	measure_together(_metadata, self, periods, ARRAY_LENGTH(periods));
}

TEST_F(profil, clocks_of_different_rates_do_not_disturb_each_other)
{
	static const __u64 periods[] = { 200 * NSEC_PER_USEC, NSEC_PER_MSEC,
					 3 * NSEC_PER_MSEC, 700 * NSEC_PER_USEC,
					 10 * NSEC_PER_MSEC };

	measure_together(_metadata, self, periods, ARRAY_LENGTH(periods));
}

/*
 * Who may. The parameters are put back however the test ends.
 */
FIXTURE(limits)
{
	int fd;
	void *counters;
	char shortest[32];
	char restricted[32];
};

FIXTURE_SETUP(limits)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	SKIP_UNLESS_FAST(self->fd);
	if (geteuid())
		SKIP(return, "only root may set parameters");
	self->counters = new_pages(page_size());
	ASSERT_NE(NULL, self->counters);
	ASSERT_OK(param_read("min_period_us", self->shortest,
			     sizeof(self->shortest)));
	ASSERT_OK(param_read("restrict_fastprof", self->restricted,
			     sizeof(self->restricted)));
}

FIXTURE_TEARDOWN(limits)
{
	EXPECT_OK(param_write("min_period_us", self->shortest));
	EXPECT_OK(param_write("restrict_fastprof", self->restricted));
	close(self->fd);
}

TEST_F(limits, restriction_refuses_what_is_shorter_than_the_tick)
{
	struct profil_version answer = version_blank();
	__u64 tick = tick_ns(self->fd), before;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(param_write("restrict_fastprof", "1"));
	EXPECT_OK(version(self->fd, &answer));
	EXPECT_EQ(tick, answer.min_period_ns);
	EXPECT_EQ(-EACCES, start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(-EACCES, start_sites(self->fd, self->counters, 4, tick - 1));
	/* the one that runs goes on */
	EXPECT_EQ(FAST_NS, stats_now(self->fd).period_ns);
	before = counter(self->counters, 4, 4);
	EXPECT_TRUE(spin_till(4, self->counters, 4, before + 3));
	EXPECT_OK(start_sites(self->fd, self->counters, 4, tick));
	EXPECT_OK(start_sites(self->fd, self->counters, 4, 2 * tick));
	EXPECT_OK(start_sites(self->fd, self->counters, 4, 0));
	ASSERT_OK(param_write("restrict_fastprof", "0"));
	EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
}

TEST_F(limits, shortest_period_can_be_set_down_to_10_us)
{
	static const struct {
		const char *text;
		__u64 ns;
	} settings[] = {
		{ "1000", NSEC_PER_MSEC },    { "250", 250 * NSEC_PER_USEC },
		{ "10", 10 * NSEC_PER_USEC }, { "9", 10 * NSEC_PER_USEC },
		{ "0", 10 * NSEC_PER_USEC },
	};
	size_t i;

	for (i = 0; i < ARRAY_LENGTH(settings); i++) {
		struct profil_version answer = version_blank();
		__u64 ns = settings[i].ns;

		ASSERT_OK(param_write("min_period_us", settings[i].text));
		EXPECT_OK(version(self->fd, &answer));
		EXPECT_EQ(ns, answer.min_period_ns);
		EXPECT_EQ(-EINVAL,
			  start_sites(self->fd, self->counters, 4, ns - 1));
		EXPECT_OK(start_sites(self->fd, self->counters, 4, ns));
		EXPECT_OK(stop(self->fd, NULL));
	}
}

/* An interrupt costs about as much as a few calls: then nothing else runs. */
static __u64 shortest_bearable(int fd)
{
	__u64 begin = wall_ns(), each;
	unsigned int i;

	for (i = 0; i < 100; i++)
		tick_ns(fd);
	each = (wall_ns() - begin) / 100;
	return each > NSEC_PER_USEC ? 10 * each : 10 * NSEC_PER_USEC;
}

/* A machine that does little else any more must still let go. */
TEST_F(limits, shortest_period_of_all_can_be_stopped)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 period_ns = shortest_bearable(self->fd);

	TH_LOG("%llu ns", period_ns);
	ASSERT_OK(param_write("min_period_us", "10"));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	EXPECT_TRUE(spin_till(4, self->counters, 4, 100));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 4));
}

/*
 * Whom it leaves alone
 */
static pid_t spin_in_child(unsigned int nr)
{
	pid_t child = fork();

	if (!child)
		for (;;)
			spin(nr, NSEC_PER_SEC);
	return child;
}

static void end_child(pid_t child)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* The child was there before, and shares even the counters. */
TEST_F(profil, only_tasks_of_the_session_are_sampled)
{
	void *counters = new_shared(page_size());
	struct measure measure = { 0 };
	pid_t child;

	ASSERT_NE(NULL, counters);
	child = spin_in_child(20);
	ASSERT_OK(measure_alone(self->fd, counters, NSEC_PER_MSEC, &measure));
	end_child(child);
	check_measure(_metadata, &measure);
	EXPECT_EQ(0, counter(counters, 4, 20));
	EXPECT_LT(0, counter(counters, 4, 9));
}

TEST_F(profil, a_sleeper_gets_no_samples_whoever_else_runs)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	pid_t children[2] = { spin_in_child(20), spin_in_child(21) };
	__u64 used;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, NSEC_PER_MSEC));
	used = process_ns();
	sleep_ns(500 * NSEC_PER_MSEC);
	used = process_ns() - used;
	ASSERT_OK(stop(self->fd, &seen));
	end_child(children[0]);
	end_child(children[1]);
	EXPECT_GE(most(used, NSEC_PER_MSEC), seen.samples);
	EXPECT_EQ(0, seen.hits);
}

/*
 * What the clock is armed for may be gone when it strikes
 */
#define AFTER_EXEC "after-exec"

static void *spin_for_ever(void *nothing)
{
	for (;;)
		spin(2, NSEC_PER_SEC);
	return nothing;
}

/* End while one thread, or two, are being sampled. */
static void end_while_armed(int fd, void *counters, unsigned int round)
{
	static const char *const arguments[] = { "fast", AFTER_EXEC, NULL };
	pthread_t thread;

	if (start_sites(fd, counters, 4, 100 * NSEC_PER_USEC) ||
	    (round & 1 && pthread_create(&thread, NULL, spin_for_ever, NULL)))
		_exit(125);
	spin(3, (1 + round % 7) * 100 * NSEC_PER_USEC);
	if (round & 2)
		execv("/proc/self/exe", (char *const *)arguments);
	_exit(round & 2 ? 126 : 0);
}

TEST_F(profil, exec_and_exit_may_come_at_any_time)
{
	__u64 until = wall_ns() + 3 * NSEC_PER_SEC;
	unsigned int round;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (round = 0; wall_ns() < until; round++) {
		pid_t child = fork();

		if (!child)
			end_while_armed(self->fd, self->counters, round);
		ASSERT_TRUE(exited_with(child, 0));
	}
	TH_LOG("%u rounds", round);
	EXPECT_TRUE(spin_till(5, self->counters, 4, 3));
}

/*
 * CPUs come and go
 */
#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

static int set_cpu1(const char *online)
{
	int fd = open(CPU1_ONLINE, O_WRONLY | O_CLOEXEC);
	ssize_t put;

	if (fd < 0)
		return -errno;
	put = write(fd, online, 1);
	close(fd);
	return put == 1 ? 0 : -EIO;
}

static int run_on(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(cpu, &cpus);
	return sched_setaffinity(0, sizeof(cpus), &cpus) ? -errno : 0;
}

static void check_unplugged(struct __test_metadata *_metadata,
			    const profil_data *self, __u64 period_ns)
{
	struct profil_stats seen;
	unsigned int round;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	for (round = 0; round < 3; round++) {
		__u64 before = counter(self->counters, 4, 6);

		/* nobody is asked: whoever is there is moved away */
		ASSERT_OK(set_cpu1("0"));
		EXPECT_TRUE(spin_till(6, self->counters, 4, before + 3));
		ASSERT_OK(set_cpu1("1"));
		ASSERT_OK(run_on(1));
		EXPECT_TRUE(spin_till(6, self->counters, 4,
				      counter(self->counters, 4, 6) + 3));
	}
	seen = stats_blank(NULL, 0);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
}

TEST_F(profil, cpu_may_go_and_come_back)
{
	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can be switched off");
	ASSERT_OK(crowd_begin(2, 30, true));
	ASSERT_OK(run_on(1));
	check_unplugged(_metadata, self, 0);
	check_unplugged(_metadata, self, FAST_NS);
	crowd_end();
}

/* START with the CPU off, and sample it when it is there. */
TEST_F(profil, cpu_that_comes_later_samples)
{
	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can be switched off");
	ASSERT_OK(set_cpu1("0"));
	EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(set_cpu1("1"));
	ASSERT_OK(run_on(1));
	EXPECT_TRUE(spin_till(6, self->counters, 4, 3));
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], AFTER_EXEC))
		return 0;
	return test_harness_run(argc, argv);
}
