// SPDX-License-Identifier: GPL-2.0-only
/*
 * AIX's ranges of text: how many counters a range has, and bins of equal size for them
 *
 * The oracle is the manual's formula: the counter of the byte at distance d has the
 * number (d * p_scale / 65536) / 2 of 16-bit counters, d rounded down to even, or, with
 * PROFIL_F_ROUND_UP, that number of any d rounded up.
 */
#include "aix/monitor_ranges.h"
#include "aix/range_bins.h"
#include "core/driver.h"
#include "core/user_copy.h"
#include "tap.h"

#define TEXT 0x401000
#define COUNTERS 64
#define FULL 65535

/* The functions of the driver that the ranges call, of which these tests need none */
int profil_driver_start(struct profil_start *start)
{
	(void)start;
	return -1;
}

int profil_user_copy_from(void *to, const void *from, size_t size)
{
	(void)to;
	(void)from;
	(void)size;
	return -1;
}

int profil_user_copy_to(void *to, const void *from, size_t size)
{
	(void)to;
	(void)from;
	(void)size;
	return -1;
}

static HISTCOUNTER buffer[COUNTERS];

static struct prof range_of(unsigned int bytes, unsigned int scale)
{
	return (struct prof){
		.p_low = (caddr_t)TEXT,
		.p_high = (caddr_t)TEXT + bytes,
		.p_buff = buffer,
		.p_bufsize = sizeof(buffer),
		.p_scale = scale,
	};
}

static unsigned int counter_of(unsigned int distance, unsigned int scale,
			       bool round_up)
{
	unsigned int even = distance / 2 * 2;

	if (!round_up)
		return (uint64_t)even * scale / 65536 / 2;
	return ((uint64_t)distance * scale / 65536 + 1) / 2;
}

static bool reaches_the_last(unsigned int bytes, unsigned int scale,
			     bool round_up)
{
	struct prof range = range_of(bytes, scale);
	unsigned int last = counter_of(bytes - 1, scale, round_up);

	CHECK_EQUAL(last < COUNTERS ? last + 1 : COUNTERS,
		    profil_ranges_counters(&range, round_up));
	return true;
}

TEST("the last byte of a range has the last counter, as long as there is room")
{
	static const unsigned int scales[] = { 2,	0x1234,	 0x7fff,
					       0x8000,	0xffff,	 0x10000,
					       0x10001, 0x2ffff, 0x80000 };

	for (unsigned int bytes = 1; bytes <= 3 * COUNTERS; bytes++)
		for (size_t i = 0; i < ARRAY_LENGTH(scales); i++)
			for (int up = 0; up < 2; up++)
				CHECK(reaches_the_last(bytes, scales[i], up));
	return true;
}

/* A reader of a file divides the text from its first address to its end evenly. */
static bool divides_evenly(unsigned int bytes, unsigned int scale)
{
	struct prof range = range_of(bytes, scale);
	uint64_t nr = profil_ranges_counters(&range, false);
	uint64_t text = profil_monitor_ranges_end(&range) - TEXT;

	for (unsigned int at = 0; at < bytes && at < text; at += 2)
		CHECK(at * nr / text <= counter_of(at, scale, false));
	CHECK((text - 1) * scale < nr * 2 * 65536);
	return true;
}

TEST("in a file no byte is in a bin behind that of its counter")
{
	for (unsigned int bytes = 2; bytes <= 3 * COUNTERS; bytes++)
		for (unsigned int scale = 0x400; scale <= 0x10000; scale += 97)
			CHECK(divides_evenly(bytes, scale));
	return true;
}

TEST("an empty range has no counter")
{
	struct prof empty = range_of(0, 0x10000), off = range_of(8, 1);

	CHECK_EQUAL(0, profil_ranges_counters(&empty, false));
	CHECK_EQUAL(0, profil_ranges_counters(&off, false));
	return true;
}

/* Counts of a bin of 8 bytes, from two counters of 4 bytes */
static unsigned int bin_of(HISTCOUNTER first, HISTCOUNTER second)
{
	struct prof prof = range_of(8, 0x8000);
	struct range_bins bins;
	unsigned int count;

	buffer[0] = first;
	buffer[1] = second;
	if (profil_range_bins_make(&bins, &prof, 8, 1))
		return 0;
	count = bins.counts[0];
	profil_range_bins_free(&bins);
	return count;
}

TEST("a bin with more counts than it holds stays full")
{
	CHECK_EQUAL(7, bin_of(3, 4));
	CHECK_EQUAL(FULL, bin_of(FULL - 1, 1));
	CHECK_EQUAL(FULL, bin_of(FULL, 1));
	CHECK_EQUAL(FULL, bin_of(FULL, FULL));
	return true;
}
