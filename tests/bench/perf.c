// SPDX-License-Identifier: GPL-2.0-only
/* Methods that sample by perf's cpu-clock, to a ring. */
#include "bench.h"

#include <linux/perf_event.h>

#define RING_PAGES 64

static int event = -1;
static struct perf_event_mmap_page *ring;
static size_t page;

int clock_event(__u64 period_ns)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = period_ns,
		.sample_type = PERF_SAMPLE_IP,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
			      PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		die("There is no cpu-clock of perf: %s.", strerror(errno));
	return fd;
}

void ring_start(const struct method *method)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	event = clock_event(method->period_ns);
	ring = mmap(NULL, (RING_PAGES + 1) * page, PROT_READ | PROT_WRITE,
		    MAP_SHARED, event, 0);
	if (ring == MAP_FAILED)
		die("There is no ring of perf: %s.", strerror(errno));
	ioctl(event, PERF_EVENT_IOC_ENABLE, 0);
}

/* A sample has 16 bytes, so none crosses the end of the ring. */
static __u64 read_ring(void)
{
	__u64 head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE);
	const char *data = (const char *)ring + page;
	__u64 at, samples = 0;

	for (at = ring->data_tail; at < head;) {
		const struct perf_event_header *header =
			(const void *)(data + at % (RING_PAGES * page));

		samples += header->type == PERF_RECORD_SAMPLE;
		at += header->size;
	}
	__atomic_store_n(&ring->data_tail, at, __ATOMIC_RELEASE);
	return samples;
}

__u64 ring_stop(const struct method *method)
{
	__u64 samples;

	(void)method;
	ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
	samples = read_ring();
	munmap(ring, (RING_PAGES + 1) * page);
	close(event);
	/* perf unhooks the scheduler with a delay */
	sleep_ns(2 * NSEC_PER_SEC);
	return samples;
}
