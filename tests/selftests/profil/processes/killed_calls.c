// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process is killed at a random moment, which often lies inside a call. Its
 * session ends, and nothing is left of it.
 */
#include "harness.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "fault_injection.h"
#include "module.h"
#include "report.h"

#define VICTIMS 60
#define LARGE 0x400000UL /* not pinned as a whole at START */
#define LONGEST_NS (4 * NSEC_PER_MSEC)

static int start_large(int fd, void *counters, struct profil_totals *totals)
{
	struct profil_region region =
		region_of(counters, LARGE, profil_sites,
			  (LARGE / NR_SITES) * (0x10000 / SITE_BYTES));
	struct profil_start args = start_of(&region, 1, 4, FAST_NS);

	args.totals = (uintptr_t)totals;
	return start(fd, &args);
}

#define MAPPED (16UL << 20)

/* Keep the lock of the mappings, so that calls wait for it. */
static void *change_mappings(void *pages)
{
	for (;;) {
		mprotect(pages, MAPPED, PROT_READ);
		mprotect(pages, MAPPED, PROT_READ | PROT_WRITE);
	}
	return NULL;
}

/* Pages of which each child has a copy, as mprotect() takes long with these. */
static void *map_pages(void)
{
	void *pages = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

static void contend(void *pages)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, change_mappings, pages))
		_exit(1);
}

/* Call everything, until this process is killed. */
static void be_busy(int fd, void *counters, struct report *report, void *pages)
{
	unsigned int nr;

	if (pages)
		contend(pages);

	for (nr = 0;; nr++) {
		struct profil_stats seen = stats_blank(NULL, 0);

		madvise(counters, LARGE, MADV_DONTNEED);
		if (nr % 2)
			start_large(fd, counters, &report->totals);
		else
			start_with_totals(fd, counters, FAST_NS,
					  &report->totals);
		spin(nr % NR_SITES, FAST_NS);
		stats(fd, &seen);
		if (nr % 3 == 0 && !fork())
			_exit(0);
		if (nr % 5 == 0)
			stop(fd, &seen);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		report->ready = 1;
	}
}

/* The moments are the same in each run; what they find is not. */
static void kill_at(pid_t child, struct report *report, unsigned int nr)
{
	static unsigned short state[3] = { 1, 2, 3 };

	if (nr % 4)
		while (!report->ready)
			sleep_ns(100 * NSEC_PER_USEC);
	sleep_ns(nrand48(state) % LONGEST_NS);
	kill(child, SIGKILL);
}

static void check_killed_calls(struct __test_metadata *_metadata,
			       const profil_data *self, bool contended)
{
	unsigned int nr;
	struct report *report = new_report();
	void *counters = new_pages(LARGE);
	void *pages = contended ? map_pages() : NULL;
	int status;

	ASSERT_EQ(contended, !!pages);
	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, counters);
	for (nr = 0; nr < VICTIMS; nr++) {
		pid_t child = fork();

		ASSERT_LE(0, child);
		if (!child)
			be_busy(self->fd, counters, report, pages);
		kill_at(child, report, nr);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
		report->ready = 0;
	}
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_LT(VICTIMS / 2, report->totals.sessions);
	TH_LOG("%llu sessions", report->totals.sessions);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	if (!geteuid())
		EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(profil, killed_calls_leave_nothing)
{
	check_killed_calls(_metadata, self, false);
}

/* A fatal signal finds many of these calls waiting for a lock. */
TEST_F(profil, killed_calls_leave_nothing_while_mappings_change)
{
	check_killed_calls(_metadata, self, true);
}

TEST_HARNESS_MAIN
