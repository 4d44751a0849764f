// SPDX-License-Identifier: GPL-2.0-only
/* Methods that sample by perf's cpu-clock, to a ring. */
#include "bench.h"

#include <linux/perf_event.h>

/* The copies of stacks of five seconds */
#define RING_PAGES 4096

/* As `perf record --call-graph dwarf`: the registers of x86-64, and bytes of the stack */
#define REGISTERS 0xff0fffULL
#define STACK_BYTES 8192

static int event = -1;
static struct perf_event_mmap_page *ring;
static size_t page;

int clock_event(__u64 period_ns, __u64 sample_type)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_ns,
		.sample_type = PERF_SAMPLE_IP | sample_type,
		.exclude_callchain_kernel = 1,
		.disabled = 1,
	};
	int fd;

	if (sample_type & PERF_SAMPLE_STACK_USER) {
		attr.sample_regs_user = REGISTERS;
		attr.sample_stack_user = STACK_BYTES;
	}
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			  PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		die("There is no cpu-clock of perf: %s.", strerror(errno));
	return fd;
}

void ring_start(const struct method *method)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	event = clock_event(method->period_ns, method->argument);
	ring = mmap(NULL, (RING_PAGES + 1) * page, PROT_READ | PROT_WRITE,
		    MAP_SHARED, event, 0);
	if (ring == MAP_FAILED)
		die("There is no ring of perf: %s.", strerror(errno));
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

/* Records have a multiple of 8 bytes, so no word of one crosses the end of the ring. */
static const void *in_ring(__u64 at)
{
	return (const char *)ring + page + at % (RING_PAGES * page);
}

static __u64 word_in_ring(__u64 at)
{
	return *(const __u64 *)in_ring(at);
}

/* A chain is behind the PC, and begins with a mark; the bytes that are copied come last. */
static void check_stack(const struct method *method, __u64 at, __u64 end)
{
	__u64 frames = method->argument & PERF_SAMPLE_CALLCHAIN ?
			       word_in_ring(at + 16) - 1 :
			       method->frames;
	__u64 bytes = method->argument & PERF_SAMPLE_STACK_USER ?
			      word_in_ring(end - 8) :
			      STACK_BYTES;

	if (frames != method->frames || bytes != STACK_BYTES)
		die("A sample of %s has %llu frames, and %llu bytes.",
		    method->name, frames, bytes);
}

static __u64 read_ring(const struct method *method)
{
	__u64 head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	const struct perf_event_header *header;
	__u64 at, samples = 0;

	for (at = ring->data_tail; at < head; at += header->size) {
		header = in_ring(at);
		if (header->type == PERF_RECORD_LOST)
			die("The ring of perf is too small.");
		if (header->type != PERF_RECORD_SAMPLE)
			continue;
		check_stack(method, at, at + header->size);
		samples++;
	}
	__atomic_store_n(&ring->data_tail, at, __ATOMIC_RELEASE);
	return samples;
}

__u64 ring_stop(const struct method *method)
{
	__u64 samples;

	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	samples = read_ring(method);
	munmap(ring, (RING_PAGES + 1) * page);
	close(event);
	/* perf unhooks the scheduler with a delay */
	sleep_ns(2 * NSEC_PER_SEC);
	return samples;
}
