/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's test harness, and the fixture that nearly every program here
 * wants: the device, open, and a page of counters for the sites.
 */
#ifndef PROFIL_TEST_HARNESS_H
#define PROFIL_TEST_HARNESS_H

#include <kselftest_harness.h>

#include "common.h"
#include "busy_threads.h"

/* Seconds: only for what hangs, on an emulated machine whose host is busy, too. */
#undef TEST_TIMEOUT_DEFAULT
#define TEST_TIMEOUT_DEFAULT 600

#define ASSERT_OK(result) ASSERT_EQ(0, result)
#define EXPECT_OK(result) EXPECT_EQ(0, result)

/* End a child of a test: what failed in it has failed in the test, too. */
#define EXIT_CHILD() _exit(_metadata->exit_code)

/* Nearly every test wants a clock that is faster than the tick. */
#define SKIP_UNLESS_FAST(fd)                                                \
	do {                                                                \
		if (!fast_here(fd))                                         \
			SKIP(return, "no clock faster than the tick here"); \
	} while (0)

/* In programs that the Makefile lists as counting. */
#ifdef COUNTING
#define SKIP_UNLESS_COUNTING()                                            \
	do {                                                              \
		if (!machine_counts())                                    \
			SKIP(return, "counts only in tests/qemu/run -c"); \
	} while (0)
#else
#define SKIP_UNLESS_COUNTING() \
	do {                   \
	} while (0)
#endif

FIXTURE(profil)
{
	int fd;
	void *counters;
};

/* What functions of a test take of it. */
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
