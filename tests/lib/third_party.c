// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil() and sprofil() in the call patterns of published programs: glibc's
 * test of sprofil(), LTP's profil01 and PAPI, none of whose code is here
 *
 * The program is linked with the C library alone and has libprofil.so
 * preloaded.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <sys/profil.h>

#include "../selftests/profil/common.h"
#include "expected_counts.h"
#include "process_state.h"
#include "tap.h"

#define SPEND_NS (100 * NSEC_PER_MSEC)
#define DUE (SPEND_NS / NSEC_PER_MSEC) /* at PROF_FAST */

/* Recursive calls, so that samples have several PCs */
static volatile unsigned long sink;

__attribute__((noinline)) static unsigned long climb(unsigned long steps)
{
	if (steps < 2)
		return steps;
	sink += steps;
	return climb(steps - 1) + climb(steps - 2);
}

/* Spend CPU time until the driver has taken @samples. */
static bool climb_until_samples(unsigned long long samples)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	while (driver_samples() < samples) {
		if (wall_ns() > until)
			return false;
		climb(20);
	}
	return true;
}

/*
 * glibc's test: regions before, at and behind the running text and an overflow
 * bin, started, stopped by a count of 0, and started again
 */
static bool glibc_test_pattern(unsigned int flags, unsigned int width)
{
	char *counters = new_pages(16 * page_size());
	size_t bytes = 4 * page_size();
	uintptr_t text = (uintptr_t)climb;
	struct prof list[] = {
		{ counters, bytes, text - 0x10000, 0x10000 },
		{ counters + bytes, bytes, text, 0x10000 },
		{ counters + 2 * bytes, bytes, text + bytes, 0x8000 },
		{ counters + 3 * bytes, width, 0, 2 },
	};
	struct timeval tv = { -1, -1 };
	unsigned long long hits, samples;

	CHECK_EQUAL(0, errno_of(sprofil(list, 4, &tv, flags)));
	CHECK_EQUAL(driver_period_ns() / 1000,
		    tv.tv_sec * 1000000 + tv.tv_usec);
	CHECK(climb_until_samples(20));
	hits = counters_sum(counters + bytes, width, bytes / width);
	CHECK(hits > 0);
	samples = driver_samples();
	CHECK_EQUAL(0, errno_of(sprofil(NULL, 0, NULL, 0)));
	/* No sample is lost; up to 20 come between the two calls. */
	CHECK_BETWEEN(samples, counters_sum(counters, width, 4 * bytes / width),
		      samples + 20);
	hits = counters_sum(counters, width, 4 * bytes / width);
	climb(22);
	CHECK_EQUAL(hits, counters_sum(counters, width, 4 * bytes / width));
	CHECK_EQUAL(0, errno_of(sprofil(list, 4, NULL, flags)));
	CHECK(climb_until_samples(5));
	CHECK_EQUAL(0, errno_of(sprofil(NULL, 0, NULL, 0)));
	CHECK(counters_sum(counters, width, 4 * bytes / width) > hits);
	return true;
}

TEST("glibc test pattern with 16 bits")
{
	return glibc_test_pattern(PROF_USHORT, 2);
}

TEST("glibc test pattern with 32 bits")
{
	return glibc_test_pattern(PROF_UINT, 4);
}

/*
 * LTP's profil01: a buffer for the text around a function, with a scale above
 * 1:1, of which only every other counter can be used
 */
TEST("ltp profil01 pattern")
{
	unsigned short *counters = new_pages(page_size());
	unsigned int odd = 0, even = 0;

	CHECK_EQUAL(0, errno_of(profil(counters, page_size(),
				       site_pc(32) - 1000, 0x20000)));
	CHECK(spin_until_at(32, &counters[bsd_index(1000, 2, 0x20000)], 2, 3));
	CHECK_EQUAL(0, errno_of(profil(counters, 0, 0, 0)));
	for (size_t i = 0; i < page_size() / 2; i += 2) {
		even += counters[i];
		odd += counters[i + 1];
	}
	CHECK(even >= 3);
	CHECK_EQUAL(0, odd);
	return true;
}

/*
 * Spin at site @nr for @ns and, where samples can be lost, until @at has one.
 */
static bool spin_and_sample(unsigned int nr, __u64 ns, const void *at,
			    unsigned int width)
{
	spin(nr, ns);
	return machine_counts() || spin_until_at(nr, at, width, 1);
}

/*
 * PAPI: a region for each of two functions, with buckets of any width, and one
 * for the rest of the program; the counts are compared with the time spent in
 * each
 */
static bool papi_pattern(unsigned int flags, unsigned int width)
{
	char *counters = new_pages(4 * page_size());
	size_t bytes = SITE_BYTES * width;
	struct prof list[3] = {
		{ counters, bytes, (uintptr_t)site(10), 0x10000 },
		{ counters + bytes, bytes, (uintptr_t)site(20), 0x10000 },
		{ counters + 2 * bytes, width, 0, 2 },
	};
	unsigned long long one, two, rest;

	for (int i = 0; i < 2; i++)
		list[i].pr_size = SITE_BYTES;
	CHECK_EQUAL(0, errno_of(sprofil(list, 3, NULL, flags | PROF_FAST)));
	CHECK(spin_and_sample(10, SPEND_NS,
			      counters + SITE_LOOP / width * width, width));
	CHECK(spin_and_sample(20, 3 * SPEND_NS,
			      counters + bytes + SITE_LOOP / width * width,
			      width));
	CHECK(spin_and_sample(30, SPEND_NS, counters + 2 * bytes, width));
	CHECK_EQUAL(0, errno_of(sprofil(list, 0, NULL, flags)));
	if (!machine_counts())
		return true;
	one = counters_sum(counters, width, SITE_BYTES / width);
	two = counters_sum(counters + bytes, width, SITE_BYTES / width);
	rest = counter(counters + 2 * bytes, width, 0);
	/*
	 * The parts of the CPU time are 1, 3 and 1. Reading the clock counts in
	 * the last part.
	 */
	CHECK_BETWEEN(DUE - DUE / 25 - 2, one, DUE + 2);
	CHECK_BETWEEN(3 * DUE - 3 * DUE / 25 - 2, two, 3 * DUE + 5);
	CHECK_BETWEEN(DUE - 1, rest, DUE + 5 * DUE / 50 + 5);
	/* Almost all samples of a site are in the bucket of its loop. */
	CHECK_BETWEEN(one - one / 8 - 2, counter(counters, width, 3 / width),
		      one);
	return true;
}

TEST("papi pattern with 16 bits")
{
	return papi_pattern(PROF_USHORT, 2);
}

TEST("papi pattern with 32 bits")
{
	return papi_pattern(PROF_UINT, 4);
}

TEST("papi pattern with 64 bits")
{
	return papi_pattern(PROF_UINT64, 8);
}
