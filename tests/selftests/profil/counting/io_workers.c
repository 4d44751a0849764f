// SPDX-License-Identifier: GPL-2.0-only
/*
 * io_uring's workers have the memory of the program, and no user mode: their time
 * has no samples, neither in the program's session nor in a table of a tree.
 */
#include "harness.h"

#include "helpers.h"
#include "table.h"

#define READ_BYTES (32U << 20)
#define PERIODS 100

/**
 * struct usage - CPU time of a process with one thread, in shared memory
 * @own_ns: of the thread
 * @workers_ns: of the workers
 * @switches: how often the thread has been taken from a CPU
 * @updates: how often all this has been written
 */
struct usage {
	__u64 own_ns;
	__u64 workers_ns;
	__u64 switches;
	__u64 updates;
};

static void update(volatile struct usage *usage)
{
	struct rusage used;

	getrusage(RUSAGE_THREAD, &used);
	usage->own_ns = thread_ns();
	usage->workers_ns = process_ns() - usage->own_ns;
	usage->switches = (__u64)(used.ru_nvcsw + used.ru_nivcsw);
	usage->updates++;
}

FIXTURE(workers)
{
	int fd;
	void *counters;
	struct ring ring;
	struct io_uring_sqe request;
	volatile struct usage *usage;
};

#define workers_data FIXTURE_DATA(workers)

FIXTURE_SETUP(workers)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	if (ring_begin(&self->ring))
		SKIP(return, "no io_uring");
	self->counters = new_pages(page_size());
	self->usage = new_shared(page_size());
	self->request = (struct io_uring_sqe){
		.opcode = IORING_OP_READ,
		.flags = IOSQE_ASYNC,
		.fd = open("/dev/zero", O_RDONLY | O_CLOEXEC),
		.addr = (uintptr_t)new_pages(READ_BYTES),
		.len = READ_BYTES,
	};
	ASSERT_LE(0, self->request.fd);
	ASSERT_NE(0, self->request.addr);
}

FIXTURE_TEARDOWN(workers)
{
	close(self->ring.fd);
	close(self->fd);
}

/*
 * The thread has a sample in each of its periods, and one more each time it is on a
 * CPU. A tick or a timer's interrupt that is late or missing has fewer.
 */
static void check_samples(const struct profil_stats *seen, struct usage before,
			  struct usage after)
{
	__u64 own_ns = after.own_ns - before.own_ns;
	__u64 workers_ns = after.workers_ns - before.workers_ns;
	__u64 most = own_ns / seen->period_ns +
		     (after.switches - before.switches) + 2;
	__u64 periods = workers_ns / seen->period_ns;

	EXPECT_LE(PERIODS, periods);
	EXPECT_GE(most, seen->samples);
	TH_LOG("%llu samples, %llu at the most; %llu periods of workers",
	       seen->samples, most, periods);
}

static __u64 periods_ns(const workers_data *self, __u64 period_ns)
{
	return PERIODS * (period_ns ?: tick_ns(self->fd));
}

static bool run_worker(workers_data *self)
{
	int result = ring_run(&self->ring, &self->request);

	update(self->usage);
	return result > 0;
}

static void check_own(workers_data *self, __u64 period_ns)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	__u64 enough = periods_ns(self, period_ns);
	__u64 until = wall_ns() + TIMEOUT_NS;
	struct usage before;

	update(self->usage);
	before = *self->usage;
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	do {
		ASSERT_TRUE(run_worker(self));
	} while (self->usage->workers_ns - before.workers_ns < enough &&
		 wall_ns() < until);
	ASSERT_OK(stop(self->fd, &seen));
	update(self->usage);
	check_samples(&seen, before, *self->usage);
}

TEST_F(workers, time_of_workers_has_no_samples)
{
	check_own(self, 0);
	check_own(self, FAST_NS);
}

/* A child: tracee_new() has closed the descriptors. */
static int run_workers(void *argument)
{
	workers_data *self = argument;

	memset(&self->ring, 0, sizeof(self->ring));
	self->request.fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	if (ring_begin(&self->ring))
		return 1;
	while (run_worker(self))
		;
	return 2;
}

/* Wait until the child has used @workers_ns, and has stored that @more times. */
static void wait_for_usage(const workers_data *self, __u64 workers_ns,
			   __u64 more)
{
	__u64 updates = self->usage->updates;

	(void)WAIT_FOR(self->usage->workers_ns >= workers_ns &&
		       self->usage->updates >= updates + more);
}

static void check_tree(workers_data *self, __u64 period_ns)
{
	struct profil_stats seen = { .period_ns = period_ns ?:
							      tick_ns(self->fd) };
	struct table table;
	pid_t pid;

	*self->usage = (struct usage){ 0 };
	pid = tracee_new(run_workers, self);
	ASSERT_OK(table_begin(&table, self->fd,
			      table_args(PROFIL_TABLE_TREE, period_ns)));
	ASSERT_OK(table_add(&table, pid, 0));
	tracee_release(pid);
	wait_for_usage(self, periods_ns(self, period_ns), 1);
	ASSERT_OK(table_take(&table, PROFIL_TAKE_LAST));
	wait_for_usage(self, 0, 2);
	kill_child(pid);
	EXPECT_EQ(0, table.sum.kernel_threads);
	seen.samples = table.sum.ticks;
	check_samples(&seen, (struct usage){ 0 }, *self->usage);
	table_end(&table);
}

TEST_F(workers, time_of_a_trees_workers_has_no_samples)
{
	check_tree(self, 0);
	check_tree(self, FAST_NS);
}

TEST_HARNESS_MAIN
