/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's test harness, and the fixture of most programs: an open device and a
 * page of counters.
 */
#ifndef PROFIL_TEST_HARNESS_H
#define PROFIL_TEST_HARNESS_H

#include <kselftest_harness.h>

#include "common.h"

/*
 * Seconds. Only a test that hangs takes so long, even emulated on a busy host.
 */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

/*
 * The test that this process runs, for functions that use the macros of the harness.
 * The setup of each fixture calls begin_test() or open_device().
 */
static struct __test_metadata *_metadata;

static inline void begin_test(struct __test_metadata *test)
{
	_metadata = test;
}

#define ASSERT_OK(result) ASSERT_EQ(0, result)
#define EXPECT_OK(result) EXPECT_EQ(0, result)

/*
 * False if a child that evaluates @checks fails an EXPECT, or if the test has failed
 * before. A failed ASSERT runs the fixture's teardown in the child and ends it with
 * status 0: the test fails by the memory that the harness shares.
 */
#define PASSES_IN_CHILD(checks) CHILD_OK(((checks), _metadata->exit_code))

/* The teardown of a fixture that has no more to end than an open device */
#define CLOSE_IN_TEARDOWN(fixture) \
	FIXTURE_TEARDOWN(fixture)  \
	{                          \
		close(self->fd);   \
	}

/* Most tests need a period shorter than the tick. */
#define SKIP_UNLESS_FAST(fd)                                           \
	do {                                                           \
		if (!fast_here(fd))                                    \
			SKIP(return, "no clock faster than the tick"); \
	} while (0)

#define SKIP_UNLESS_ROOT()                          \
	do {                                        \
		if (geteuid())                      \
			SKIP(return, "needs root"); \
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

/* STOP: the outcomes of the samples add up. */
static inline struct profil_stats end_session(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	ASSERT_OK(stop(fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	return seen;
}

/* The same: the counters of the sites have all hits, and no sample is lost. */
static inline struct profil_stats stop_and_check(int fd, const void *counters)
{
	struct profil_stats seen = end_session(fd);

	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(seen.hits, counters_sum(counters, 4, NR_SITES));
	return seen;
}

/* The device, for a fixture that samples at FAST_NS where it can */
static inline int open_device(struct __test_metadata *test)
{
	int fd = device_open();

	begin_test(test);
	ASSERT_LE(0, fd)
	{
		TH_LOG("Cannot open %s: load the profil module first",
		       PROFIL_DEVICE);
	}
	return fd;
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
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(page_size());
}

CLOSE_IN_TEARDOWN(profil)

#endif /* PROFIL_TEST_HARNESS_H */
