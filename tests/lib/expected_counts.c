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

/* Sum of the @count counters from the one at @index on */
static uint64_t sum_from(const void *counters, unsigned int width, size_t index,
			 size_t count)
{
	uint64_t sum = 0;

	for (size_t i = index; i < index + count; i++)
		sum += counter(counters, width, i);
	return sum;
}

bool counts_between(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t first, size_t index, size_t last)
{
	size_t nr_near = (last < count ? last + 1 : count) - first;
	uint64_t before = counter(counters, width, index);
	uint64_t near = sum_from(counters, width, first, nr_near);
	uint64_t far = sum_from(counters, width, 0, count) - near;
	const char *at = (const char *)counters + index * width;

	if (!spin_until_at(nr, at, width, before + SOME_SAMPLES)) {
		printf("# site %u: counter %zu has no samples\n", nr, index);
		return false;
	}
	far = sum_from(counters, width, 0, count) -
	      sum_from(counters, width, first, nr_near) - far;
	near = sum_from(counters, width, first, nr_near) - near -
	       (counter(counters, width, index) - before);
	if (!far && near < SOME_SAMPLES)
		return true;
	printf("# site %u: for counter %zu %d samples, elsewhere %lu\n", nr,
	       index, SOME_SAMPLES, (unsigned long)(far + near));
	return false;
}

bool counts_only_at(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t index)
{
	return counts_between(nr, counters, width, count,
			      index < 2 ? 0 : index - 2, index, index + 1);
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
