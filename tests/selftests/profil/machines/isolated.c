// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs on isolated CPUs whose tick stops (nohz_full, isolcpus): those that
 * are profiled are sampled by the timer, and others are left alone. Needs two
 * such CPUs beside two ordinary ones.
 */
#include "program.h"
#include "table.h"
#include "harness.h"
#include "machines/interrupts.h"

#define TIMER "LOC:"
#define ALL ""
#define CPU_LIST "/sys/devices/system/cpu/"
#define ROUNDS 5
#define SAMPLES 50
#define STARTS 200

/* hrtimer_interrupt() looks so often for timers that expire while it runs. */
#define MOST_IN_ONE 3

/* The first and the last CPU of a list such as "2-3" */
struct range {
	unsigned int first;
	unsigned int last;
};

static struct range cpus_in(const char *path)
{
	struct range range = { 0, 0 };
	char text[64];

	if (!read_text(path, text, sizeof(text)))
		sscanf(text, "%u-%u", &range.first, &range.last);
	return range;
}

FIXTURE(isolated)
{
	int fd;
	void *counters;
	unsigned int cpu;
	unsigned int other;
};

FIXTURE_SETUP(isolated)
{
	struct range no_tick = cpus_in(CPU_LIST "nohz_full");
	struct range isolated = cpus_in(CPU_LIST "isolated");

	begin_test(_metadata);
	if (geteuid() || no_tick.first < 2 || no_tick.last <= no_tick.first ||
	    memcmp(&no_tick, &isolated, sizeof(isolated)))
		SKIP(return, "needs root, nohz_full=2,3 and isolcpus=2,3");
	self->cpu = no_tick.first;
	self->other = no_tick.last;
	self->fd = open_device(_metadata);
	self->counters = new_pages(page_size());
}

CLOSE_IN_TEARDOWN(isolated)

/*
 * Timer interrupts of this CPU during SAMPLES samples; the spinning makes no
 * system call. No sample is without an interrupt.
 */
static long timer_interrupts(const FIXTURE_DATA(isolated) * self)
{
	__u64 hits = counter(self->counters, 4, 7);
	long before = interrupts_of(TIMER, self->cpu);

	EXPECT_LE(0, before);
	EXPECT_TRUE(spin_until(7, self->counters, 4, hits + SAMPLES));
	hits = counter(self->counters, 4, 7) - hits;
	before = interrupts_of(TIMER, self->cpu) - before;
	EXPECT_LE(hits, MOST_IN_ONE * (__u64)before);
	return before;
}

/*
 * A tick beside the timer would double the interrupts. The kernel may need the
 * tick for work of its own, so one round of several has to be without.
 */
static void check_timer_alone(const FIXTURE_DATA(isolated) * self)
{
	long seen = 2 * SAMPLES;
	unsigned int round;

	for (round = 0; round < ROUNDS && seen > SAMPLES * 3 / 2; round++) {
		seen = timer_interrupts(self);
		TH_LOG("%ld interrupts for %d samples", seen, SAMPLES);
	}
	EXPECT_GE(SAMPLES * 3 / 2, seen);
}

static void sample_alone(const FIXTURE_DATA(isolated) * self, __u64 period_ns)
{
	__u64 used_ns = period_ns ? period_ns : tick_ns(self->fd);
	struct profil_stats seen;
	__u64 begin = wall_ns();

	ASSERT_OK(run_on(0, self->cpu));
	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	check_timer_alone(self);
	seen = stop_and_check(self->fd, self->counters);
	/* A late sample is skipped: there are never too many. */
	EXPECT_GE((wall_ns() - begin) / used_ns + 2, seen.samples);
	EXPECT_EQ(used_ns, seen.period_ns);
}

TEST_F(isolated, timer_replaces_the_tick)
{
	sample_alone(self, 0);
	sample_alone(self, FAST_NS);
}

/*
 * A program without a session, on an isolated CPU: it makes no system call and
 * has its own interrupts counted.
 */
static pid_t spin_apart(unsigned int cpu)
{
	pid_t child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (run_on(0, cpu))
		_exit(1);
	for (;;)
		asm volatile("");
}

static void *sample_on_1(void *unused)
{
	if (!run_on(0, 1))
		for (;;)
			spin(3, NSEC_PER_SEC);
	return unused;
}

/*
 * Sessions of a program with a thread on each ordinary CPU, which maps and
 * unmaps counters
 */
static void start_and_stop(int fd)
{
	for (unsigned int i = 0; i < STARTS; i++) {
		void *counters = new_pages(page_size());

		ASSERT_OK(start_sites(fd, counters, 4, i & 1 ? FAST_NS : 0));
		spin(4, NSEC_PER_MSEC);
		ASSERT_OK(munmap(counters, page_size()));
		ASSERT_OK(stop(fd, NULL));
	}
}

/*
 * This test's first session attaches the driver's probes, which interrupts all
 * CPUs. The kernel's own work may interrupt the CPU in a round.
 */
TEST_F(isolated, sessions_elsewhere_interrupt_no_isolated_cpu)
{
	pid_t child = spin_apart(self->other);
	long seen = STARTS;
	unsigned int round;
	pthread_t thread;

	ASSERT_LT(0, child);
	ASSERT_OK(run_on(0, 0));
	ASSERT_OK(pthread_create(&thread, NULL, sample_on_1, NULL));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(4, self->counters, 4, 3));
	for (round = 0; round < ROUNDS && seen >= STARTS / 4; round++) {
		seen = interrupts_of(ALL, self->other);
		start_and_stop(self->fd);
		seen = interrupts_of(ALL, self->other) - seen;
		TH_LOG("%ld interrupts for %d sessions", seen, STARTS);
	}
	EXPECT_GT(STARTS / 4, seen);
	kill_child(child);
}

static int spin_isolated(void *cpu)
{
	unsigned int at = 7;

	return run_on(0, *(unsigned int *)cpu) ? 1 : spin_forever(at);
}

/* The kernel may need its tick for work of its own, but not in each round. */
static void check_quiet(unsigned int cpu)
{
	long seen = STARTS;
	unsigned int round;

	for (round = 0; round < ROUNDS && seen > SAMPLES / 2; round++) {
		seen = interrupts_of(TIMER, cpu);
		sleep_ns(200 * NSEC_PER_MSEC);
		seen = interrupts_of(TIMER, cpu) - seen;
	}
	EXPECT_GE(SAMPLES / 2, seen);
}

/* The timer of the isolated CPU runs as long as the table takes samples. */
TEST_F(isolated, process_of_a_tree_is_sampled_until_the_last_take)
{
	pid_t pid = tracee_new(spin_isolated, &self->cpu);
	long before = interrupts_of(TIMER, self->cpu);
	struct table table;

	ASSERT_OK(run_on(0, 0));
	ASSERT_OK(table_begin(&table, self->fd,
			      table_args(PROFIL_TABLE_TREE, FAST_NS)));
	ASSERT_OK(table_add(&table, pid, 0));
	tracee_release(pid);
	(void)WAIT_FOR(!table_take(&table, 0) && table.sum.hits >= SAMPLES);
	EXPECT_LE(SAMPLES, table.sum.hits);
	ASSERT_OK(table_take(&table, PROFIL_TAKE_LAST));
	before = interrupts_of(TIMER, self->cpu) - before;
	EXPECT_LE(table.sum.hits, MOST_IN_ONE * (__u64)before);
	EXPECT_TRUE(table_adds_up(&table));
	check_quiet(self->cpu);
	table_end(&table);
	kill_child(pid);
}

/**
 * struct spinning - the samples of a program that spins at the site of spin_isolated()
 * @pid: the program
 * @used: its CPU time before the last TAKE, in nanoseconds
 * @samples: sum over all TAKEs
 */
struct spinning {
	pid_t pid;
	__u64 used;
	__u64 samples;
};

static __u64 cpu_time_so_far(pid_t pid)
{
	clockid_t clock;

	return clock_getcpuclockid(pid, &clock) ? 0 : clock_ns(clock);
}

static bool has_its_samples(struct table *table, struct spinning *spinning)
{
	__u64 offset = offset_of((const char *)site(7) + SITE_LOOP);
	struct stat program;

	spinning->used = cpu_time_so_far(spinning->pid);
	if (stat("/proc/self/exe", &program) || table_take(table, 0))
		return false;
	spinning->samples += table_samples(table, &program, offset, false);
	return spinning->samples >= SAMPLES;
}

/*
 * A table of all programs: one sample for each period of a program on an isolated CPU,
 * by the timer, and none of an isolated CPU that is idle. Late samples are skipped.
 */
static void count_all(const FIXTURE_DATA(isolated) * self, __u64 period_ns)
{
	struct spinning spinning = {
		.pid = tracee_new(spin_isolated, (void *)&self->cpu),
	};
	long before = interrupts_of(TIMER, self->cpu);
	__u64 used_ns = period_ns ? period_ns : tick_ns(self->fd);
	__u64 begin = wall_ns();
	struct table table;

	ASSERT_OK(run_on(0, 0));
	ASSERT_OK(table_begin(&table, self->fd, table_args(0, period_ns)));
	tracee_release(spinning.pid);
	EXPECT_TRUE(WAIT_FOR(has_its_samples(&table, &spinning)));
	before = interrupts_of(TIMER, self->cpu) - before;
	TH_LOG("%llu samples, %llu to %llu due, %ld interrupts",
	       spinning.samples, spinning.used / used_ns,
	       cpu_time_so_far(spinning.pid) / used_ns, before);
	EXPECT_LE(spinning.samples, MOST_IN_ONE * (__u64)before);
	EXPECT_GE((wall_ns() - begin) / used_ns + 2, spinning.samples);
	check_quiet(self->other);
	ASSERT_OK(table_take(&table, PROFIL_TAKE_LAST));
	EXPECT_TRUE(table_adds_up(&table));
	check_quiet(self->cpu);
	table_end(&table);
	kill_child(spinning.pid);
}

TEST_F(isolated, table_samples_busy_cpus)
{
	count_all(self, 0);
	count_all(self, FAST_NS);
}

TEST_HARNESS_MAIN
