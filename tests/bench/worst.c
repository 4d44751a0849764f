// SPDX-License-Identifier: GPL-2.0-only
/*
 * worst: the highest costs of a sample
 *
 * The ring of deferred samples is full, since a thread of the program waits for a
 * page of a file system that does not answer: the driver searches the ring for
 * each PC without a match.
 *
 * An increment never succeeds, as if other CPUs always changed the counter
 * first: the driver's code, compiled for this program with a failing cmpxchg().
 */
#include "bench.h"

#include "../selftests/profil/fuse.h"
#include "counter.h"

#define PLACE "/tmp/worst"
#define WIDE_ROUNDS 50
#define TEN_KHZ (NSEC_PER_MSEC / 10)
#define ADDS 100000

/* Large counters are beside these: START checks the first page only. */
#define STUCK_BYTES (2 * 4096UL)

static void *map_stuck(struct fuse *fuse)
{
	int fd = fuse_open_private(fuse, PLACE, FUSE_STUCK);
	void *pages = mmap(NULL, STUCK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE, fd, 0);

	if (pages == MAP_FAILED)
		die("Cannot map the file that is never read.");
	close(fd);
	return pages;
}

/*
 * The counters of the work's text are in the second page of the file. No other code that
 * runs has counters there.
 */
static void start_stuck(void *stuck, void *pages)
{
	struct profil_region regions[] = {
		WIDE_REGION(pages),
		region_of(stuck, 4096 + WORK_BYTES,
			  (void *)((uintptr_t)work_text - 4096), 0x10000),
	};

	driver_start_regions(regions, 2, TEN_KHZ);
}

/* STOP after the end of the wait, for which STATS would have waited, too. */
static void stop_full(void)
{
	struct profil_stats stats;

	driver_end(&stats);
	printf("# %llu samples, %llu lost\n", stats.samples, stats.lost);
	if (stats.lost < stats.samples / 2)
		die("The ring was not full: only %llu samples were lost.",
		    stats.lost);
}

/* The cost of a sample beyond @without, the loop's time without a session. */
static double cost(double without)
{
	void *pages = new_reserved(WIDE_COUNTERS), *stuck;
	struct waiter waiter;
	struct fuse fuse;
	double with;

	stuck = map_stuck(&fuse);
	madvise(pages, WIDE_COUNTERS, MADV_NOHUGEPAGE);
	start_stuck(stuck, pages);
	if (!waiter_begin(&waiter, work))
		die("No thread waits for the file that is never read.");
	wide_work(WIDE_ROUNDS);
	with = wide_time(WIDE_ROUNDS);
	waiter.over = true;
	fuse_unmount(&fuse);
	pthread_join(waiter.thread, NULL);
	stop_full();
	munmap(pages, WIDE_COUNTERS);
	munmap(stuck, STUCK_BYTES);
	return (with - without) / (with / TEN_KHZ);
}

/* The instructions of an increment that fails. */
static double give_up(void)
{
	union counter counter = { .longword = 0 };
	__u64 begin;

	settle(0);
	begin = wall_ns();
	for (unsigned int i = 0; i < ADDS; i++)
		if (counter_add(&counter, 1, 65535) != COUNTER_ABSENT)
			die("An increment has succeeded.");
	return (double)(wall_ns() - begin) / ADDS;
}

int main(void)
{
	struct series full = { 0 }, taken = { 0 };

	for (unsigned int i = 0; i < ROUNDS; i++) {
		series_add(&taken, give_up());
		series_add(&full, cost(wide_time(WIDE_ROUNDS)));
	}
	series_print(&taken, "worst/counter-never-won");
	series_print(&full, "worst/full-ring");
	return 0;
}
