// SPDX-License-Identifier: GPL-2.0-only
#include "expected_counts.h"

#include <errno.h>
#include <stdio.h>

#include "../selftests/profil/common.h"

#define SOME_TICKS (60 * NSEC_PER_MSEC)
#define SOME_SAMPLES 4

/* The instruction in front of the loop is 3 bytes long. */
uintptr_t site_pc(unsigned int nr)
{
	return (uintptr_t)site(nr) + 3;
}

uint64_t bsd_index(uint64_t distance, unsigned int width, uint64_t scale)
{
	unsigned __int128 product = distance / width;

	return product * scale / 65536;
}

uint64_t aix_index(uint64_t distance, uint64_t scale)
{
	unsigned __int128 product = distance;
	uint64_t bytes = product * scale / 65536;

	return (bytes + 1) / 2;
}

/*
 * The instructions around the loop are executed now and then: 3 bytes before it
 * and 2 bytes behind it, which is up to 4 counters at two counters for 2 bytes.
 */
static bool may_be_hit(size_t i, size_t index)
{
	return i + 4 >= index && i <= index + 4;
}

static uint64_t sum_of(const void *counters, unsigned int width, size_t count,
		       size_t index, bool near)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (i != index && may_be_hit(i, index) == near)
			sum += counter(counters, width, i);
	return sum;
}

bool counts_only_at(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t index)
{
	uint64_t before = counter(counters, width, index);
	uint64_t near = sum_of(counters, width, count, index, true);
	uint64_t far = sum_of(counters, width, count, index, false);
	const char *at = (const char *)counters + index * width;

	if (!spin_until_at(nr, at, width, before + SOME_SAMPLES)) {
		printf("# site %u: counter %zu has no samples\n", nr, index);
		return false;
	}
	near = sum_of(counters, width, count, index, true) - near;
	far = sum_of(counters, width, count, index, false) - far;
	if (!far && near < SOME_SAMPLES)
		return true;
	printf("# site %u: for counter %zu %d samples, elsewhere %lu\n", nr,
	       index, SOME_SAMPLES, (unsigned long)(far + near));
	return false;
}

bool counts_nowhere(unsigned int nr, void *counters, unsigned int width,
		    size_t count)
{
	uint64_t before = counters_sum(counters, width, count);

	spin(nr, SOME_TICKS);
	return counters_sum(counters, width, count) == before;
}

int errno_of(int ret)
{
	return ret == -1 ? errno : ret;
}
