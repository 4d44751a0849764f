// SPDX-License-Identifier: GPL-2.0-only
/*
 * Periods shorter than the tick: limits and restriction, and tasks and CPUs
 * that end while they are sampled. counting/rates.c tests the rate.
 */
#include "harness.h"

/* Limits by parameters, which the teardown restores. */
FIXTURE(limits)
{
	int fd;
	void *counters;
	char shortest[32];
	char restricted[32];
};

FIXTURE_SETUP(limits)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	SKIP_UNLESS_ROOT();
	self->counters = new_pages(page_size());
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

TEST_F(limits, restriction_refuses_periods_shorter_than_the_tick)
{
	__u64 tick = tick_ns(self->fd), before;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(param_write("restrict_fastprof", "1"));
	EXPECT_EQ(tick, version_now(self->fd).min_period_ns);
	EXPECT_EQ(-EACCES, start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(-EACCES, start_sites(self->fd, self->counters, 4, tick - 1));
	/* A period that is never allowed is none of the restriction's. */
	EXPECT_EQ(-EINVAL, start_sites(self->fd, self->counters, 4, 1));
	/* the running session is unchanged */
	EXPECT_EQ(FAST_NS, stats_now(self->fd).period_ns);
	before = counter(self->counters, 4, 4);
	EXPECT_TRUE(spin_until(4, self->counters, 4, before + 3));
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

	for (size_t i = 0; i < ARRAY_LENGTH(settings); i++) {
		__u64 ns = settings[i].ns;

		ASSERT_OK(param_write("min_period_us", settings[i].text));
		EXPECT_EQ(ns, version_now(self->fd).min_period_ns);
		EXPECT_EQ(-EINVAL,
			  start_sites(self->fd, self->counters, 4, ns - 1));
		EXPECT_OK(start_sites(self->fd, self->counters, 4, ns));
		EXPECT_OK(stop(self->fd, NULL));
	}
}

/*
 * A period of a few system calls' length: shorter ones leave no time for the
 * program. The shortest of many calls is one that the host has not interrupted.
 */
static __u64 shortest_bearable(int fd)
{
	__u64 shortest = NSEC_PER_MSEC / 10;

	for (unsigned int i = 0; i < 1000; i++) {
		__u64 begin = wall_ns(), ns;

		tick_ns(fd);
		ns = wall_ns() - begin;
		shortest = ns < shortest ? ns : shortest;
	}
	return shortest > NSEC_PER_USEC ? 10 * shortest : 10 * NSEC_PER_USEC;
}

/* STOP must work on a machine that is busy with interrupts. */
TEST_F(limits, session_at_the_shortest_period_can_be_stopped)
{
	struct profil_stats seen;
	__u64 period_ns = shortest_bearable(self->fd);

	TH_LOG("%llu ns", period_ns);
	ASSERT_OK(param_write("min_period_us", "10"));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	EXPECT_TRUE(spin_until(4, self->counters, 4, 100));
	seen = end_session(self->fd);
	EXPECT_EQ(seen.hits, counter(self->counters, 4, 4));
}

/* A task may exit while a timer is armed for it */
static void *spin_without_end(void *nothing)
{
	for (;;)
		spin(2, NSEC_PER_SEC);
	return nothing;
}

/* Exit or exec while one or two threads are sampled. */
static void end_while_armed(int fd, void *counters, unsigned int round)
{
	pthread_t thread;

	if (start_sites(fd, counters, 4, 100 * NSEC_PER_USEC) ||
	    (round & 1 &&
	     pthread_create(&thread, NULL, spin_without_end, NULL)))
		_exit(125);
	spin(3, (1 + round % 7) * 100 * NSEC_PER_USEC);
	if (round & 2)
		execl("/proc/self/exe", "fast", "chain", "0", NULL);
	_exit(round & 2 ? 126 : 0);
}

TEST_F(profil, exec_and_exit_are_safe_while_sampled)
{
	__u64 until = wall_ns() + 2 * NSEC_PER_SEC;
	unsigned int round;

	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (round = 0; wall_ns() < until; round++) {
		pid_t child = fork();

		if (!child)
			end_while_armed(self->fd, self->counters, round);
		ASSERT_TRUE(exited_with(child, 0));
	}
	TH_LOG("%u rounds", round);
	EXPECT_TRUE(spin_until(5, self->counters, 4, 3));
}

/* CPU hotplug */
#define CPU1_ONLINE "/sys/devices/system/cpu/cpu1/online"

static void check_unplugged(const profil_data *self, __u64 period_ns)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	for (unsigned int round = 0; round < 3; round++) {
		__u64 before = counter(self->counters, 4, 6);

		/* the kernel moves this thread away */
		ASSERT_OK(write_text(CPU1_ONLINE, "0"));
		EXPECT_TRUE(spin_until(6, self->counters, 4, before + 3));
		ASSERT_OK(write_text(CPU1_ONLINE, "1"));
		ASSERT_OK(run_on(0, 1));
		EXPECT_TRUE(spin_until(6, self->counters, 4,
				       counter(self->counters, 4, 6) + 3));
	}
	end_session(self->fd);
}

TEST_F(profil, session_survives_cpu_hotplug)
{
	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	ASSERT_OK(busy_threads_begin(2, 30, true));
	ASSERT_OK(run_on(0, 1));
	check_unplugged(self, 0);
	check_unplugged(self, FAST_NS);
	busy_threads_end();
}

/* START while the CPU is offline; the CPU is sampled once it is online. */
TEST_F(profil, cpu_onlined_later_samples)
{
	if (access(CPU1_ONLINE, W_OK))
		SKIP(return, "no second CPU that can go offline");
	ASSERT_OK(write_text(CPU1_ONLINE, "0"));
	EXPECT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(write_text(CPU1_ONLINE, "1"));
	ASSERT_OK(run_on(0, 1));
	EXPECT_TRUE(spin_until(6, self->counters, 4, 3));
}

TEST_HARNESS_MAIN
