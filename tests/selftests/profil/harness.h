/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's test harness, and the fixture of most programs: an open device
 * and a page of counters.
 */
#ifndef PROFIL_TEST_HARNESS_H
#define PROFIL_TEST_HARNESS_H

#include <kselftest_harness.h>

#include "common.h"
#include "busy_threads.h"

/*
 * Seconds. Only a test that hangs takes so long, even emulated on a busy host.
 */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

#define ASSERT_OK(result) ASSERT_EQ(0, result)
#define EXPECT_OK(result) EXPECT_EQ(0, result)

/*
 * Exit from a child of a test. A failure in the child is a failure of the test.
 */
#define EXIT_CHILD() _exit(_metadata->exit_code)

/* Most tests need a period shorter than the tick. */
#define SKIP_UNLESS_FAST(fd)                                           \
	do {                                                           \
		if (!fast_here(fd))                                    \
			SKIP(return, "no clock faster than the tick"); \
	} while (0)

/* The Makefile defines COUNTING for the programs in counting/. */
#ifdef COUNTING
#define SKIP_UNLESS_COUNTING()                                                  \
	do {                                                                    \
		if (!machine_counts())                                          \
			SKIP(return,                                            \
				   "needs a machine that counts instructions"); \
	} while (0)
#else
#define SKIP_UNLESS_COUNTING() \
	do {                   \
	} while (0)
#endif

/* STOP: all samples are accounted for, and none is lost. */
static inline void stop_and_check(struct __test_metadata *_metadata, int fd,
				  const void *counters)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	ASSERT_OK(stop(fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(counters, 4, NR_SITES));
}

FIXTURE(profil)
{
	int fd;
	void *counters;
};

/* The type of self. */
#define profil_data FIXTURE_DATA(profil)

FIXTURE_SETUP(profil)
{
	SKIP_UNLESS_COUNTING();
	self->fd = device_open();
	ASSERT_LE(0, self->fd)
	{
		TH_LOG("Cannot open %s: load the profil module first",
		       PROFIL_DEVICE);
	}
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(page_size());
	ASSERT_NE(NULL, self->counters);
}

FIXTURE_TEARDOWN(profil)
{
	close(self->fd);
}

#endif /* PROFIL_TEST_HARNESS_H */
