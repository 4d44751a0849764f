// SPDX-License-Identifier: GPL-2.0-only
/*
 * io_uring's workers have the memory of the program, and no user mode: their time
 * has no samples, neither in the program's own session nor in an attached one.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "report.h"
#include "tracee.h"

#define READ_BYTES (32U << 20)
#define PERIODS 40

/* An io_uring with one entry */
struct ring {
	int fd;
	struct io_uring_params parameters;
	char *queues;
	struct io_uring_sqe *entry;
};

static int ring_begin(struct ring *ring)
{
	ring->fd = (int)syscall(SYS_io_uring_setup, 1, &ring->parameters);
	if (ring->fd < 0)
		return -errno;
	ring->queues = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			    MAP_SHARED, ring->fd, IORING_OFF_SQ_RING);
	ring->entry = mmap(NULL, page_size(), PROT_READ | PROT_WRITE,
			   MAP_SHARED, ring->fd, IORING_OFF_SQES);
	return ring->queues == MAP_FAILED || ring->entry == MAP_FAILED ?
		       -ENOMEM :
		       0;
}

static __u32 *in_queues(const struct ring *ring, __u32 offset)
{
	return (__u32 *)(ring->queues + offset);
}

/* A worker runs the request, while this thread waits. Returns its result. */
static int ring_run(struct ring *ring, const struct io_uring_sqe *request)
{
	const struct io_cqring_offsets *done = &ring->parameters.cq_off;
	struct io_uring_cqe *results =
		(void *)in_queues(ring, ring->parameters.cq_off.cqes);
	__u32 *head = in_queues(ring, done->head);
	__u32 *tail = in_queues(ring, ring->parameters.sq_off.tail);
	int result;

	*ring->entry = *request;
	*in_queues(ring, ring->parameters.sq_off.array) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, ring->fd, 1, 1, IORING_ENTER_GETEVENTS,
		    NULL, 0) < 0)
		return -errno;
	result = results[*head & *in_queues(ring, done->ring_mask)].res;
	__atomic_store_n(head, *head + 1, __ATOMIC_RELEASE);
	return result;
}

FIXTURE(workers)
{
	int fd;
	void *counters;
	struct ring ring;
	struct io_uring_sqe request;
	struct report *report; /* its counter is the CPU time of workers */
};

#define workers_data FIXTURE_DATA(workers)

FIXTURE_SETUP(workers)
{
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	SKIP_UNLESS_FAST(self->fd);
	if (ring_begin(&self->ring))
		SKIP(return, "no io_uring");
	self->counters = new_pages(page_size());
	self->report = new_report();
	ASSERT_NE(NULL, self->counters);
	ASSERT_NE(NULL, self->report);
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

/* Have workers run for @ns of CPU time. */
static bool run_workers(workers_data *self, __u64 ns)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	__u64 begin = process_ns() - thread_ns();

	while (process_ns() - thread_ns() - begin < ns) {
		if (ring_run(&self->ring, &self->request) <= 0 ||
		    wall_ns() > until)
			return false;
		self->report->counter = process_ns() - thread_ns();
	}
	return true;
}

static void expect_no_samples(struct __test_metadata *_metadata,
			      const workers_data *self, __u64 workers_ns)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_LE(PERIODS * seen.period_ns, workers_ns);
	EXPECT_GT(workers_ns / 2, seen.samples * seen.period_ns);
	TH_LOG("%llu samples in %llu periods of workers", seen.samples,
	       workers_ns / seen.period_ns);
}

static void check_own(struct __test_metadata *_metadata, workers_data *self,
		      __u64 period_ns)
{
	__u64 begin, ns = PERIODS * (period_ns ?: tick_ns(self->fd));

	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	begin = process_ns() - thread_ns();
	ASSERT_TRUE(run_workers(self, ns));
	expect_no_samples(_metadata, self, process_ns() - thread_ns() - begin);
}

TEST_F(workers, time_of_workers_has_no_ticks)
{
	check_own(_metadata, self, 0);
}

TEST_F(workers, time_of_workers_has_no_timer_samples)
{
	check_own(_metadata, self, FAST_NS);
}

static int run_workers_forever(void *argument)
{
	workers_data *self = argument;

	/* tracee_new() has closed the descriptors. */
	memset(&self->ring, 0, sizeof(self->ring));
	self->request.fd = open("/dev/zero", O_RDONLY);
	if (ring_begin(&self->ring))
		return 1;
	while (run_workers(self, NSEC_PER_SEC))
		;
	return 2;
}

static void check_attached(struct __test_metadata *_metadata,
			   workers_data *self, __u64 period_ns)
{
	volatile __u64 *workers_ns = &self->report->counter;
	__u64 begin, until = wall_ns() + TIMEOUT_NS;
	__u64 ns = PERIODS * (period_ns ?: tick_ns(self->fd));
	pid_t pid = tracee_new(run_workers_forever, self);

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
	begin = *workers_ns;
	tracee_release(pid);
	while (*workers_ns - begin < ns && wall_ns() < until)
		sleep_ns(NSEC_PER_MSEC);
	expect_no_samples(_metadata, self, *workers_ns - begin);
	kill_child(pid);
}

TEST_F(workers, time_of_an_attached_programs_workers_has_no_ticks)
{
	check_attached(_metadata, self, 0);
}

TEST_F(workers, time_of_an_attached_programs_workers_has_no_timer_samples)
{
	check_attached(_metadata, self, FAST_NS);
}

TEST_HARNESS_MAIN
