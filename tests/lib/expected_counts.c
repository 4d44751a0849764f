// SPDX-License-Identifier: GPL-2.0-only
#include "steps.h"

#include "../selftests/profil/common.h"

#define SOME_TICKS (60 * NSEC_PER_MSEC)
#define SOME_SAMPLES 4

uintptr_t site_pc(unsigned int nr)
{
	return (uintptr_t)site(nr) + SITE_LOOP;
}

/**
 * struct sums - counters that were read once each, since they may be counting
 * @at: the counter at an index
 * @near: the counters near it, with @at
 * @all: all counters
 */
struct sums {
	uint64_t at;
	uint64_t near;
	uint64_t all;
};

static struct sums sums_of(const void *counters, unsigned int width,
			   size_t count, size_t first, size_t index,
			   size_t last)
{
	struct sums sums = { 0 };

	for (size_t i = 0; i < count; i++) {
		uint64_t value = counter(counters, width, i);

		sums.all += value;
		if (i >= first && i <= last)
			sums.near += value;
		if (i == index)
			sums.at = value;
	}
	return sums;
}

bool counts_between(unsigned int nr, void *counters, unsigned int width,
		    size_t count, size_t first, size_t index, size_t last)
{
	struct sums begin = sums_of(counters, width, count, first, index, last);
	const char *at = (const char *)counters + index * width;
	uint64_t far, near;
	struct sums end;

	if (!spin_until_at(nr, at, width, begin.at + SOME_SAMPLES)) {
		printf("# site %u: counter %zu has no samples\n", nr, index);
		return false;
	}
	end = sums_of(counters, width, count, first, index, last);
	far = end.all - end.near - (begin.all - begin.near);
	near = end.near - end.at - (begin.near - begin.at);
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
			      index < 4 ? 0 : index - 4, index, index + 2);
}

static uint64_t new_counts(unsigned int nr, const void *counters,
			   unsigned int width, size_t count)
{
	uint64_t before = counters_sum(counters, width, count);

	spin(nr, SOME_TICKS);
	return counters_sum(counters, width, count) - before;
}

bool counts_nowhere(unsigned int nr, const void *counters, unsigned int width,
		    size_t count)
{
	return !new_counts(nr, counters, width, count);
}

bool loop_counts_nowhere(unsigned int nr, const void *counters,
			 unsigned int width, size_t count)
{
	return new_counts(nr, counters, width, count) < SOME_SAMPLES;
}

int errno_of(int ret)
{
	return ret == -1 ? errno : ret;
}
