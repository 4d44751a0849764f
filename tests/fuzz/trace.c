// SPDX-License-Identifier: GPL-2.0-only
#include "fuzz.h"

/* Sets of numbers, as tables with open addressing; 0 is no number. */
#define SET_SIZE 0x10000U

struct set {
	__u64 numbers[SET_SIZE];
	unsigned int nr;
};

static struct trace *trace;
static struct set places, steps;

#define PAIRS_KEPT 4096

static struct trace_pair pairs[PAIRS_KEPT];
static __u64 nr_pairs;

bool trace_open(void)
{
	int fd = open(TRACE_DEVICE, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	trace = mmap(NULL, sizeof(*trace), PROT_READ | PROT_WRITE, MAP_SHARED,
		     fd, 0);
	close(fd);
	return trace != MAP_FAILED;
}

void trace_this_thread(void)
{
	trace->task = syscall(SYS_gettid);
}

void trace_begin(void)
{
	trace->nr_steps = 0;
	trace->nr_pairs = 0;
}

/* True if the number is new. A full set takes no more numbers. */
static bool add(struct set *set, __u64 number)
{
	unsigned int at = (number * 0x9e3779b97f4a7c15) >> 48;

	if (set->nr > SET_SIZE / 4 * 3)
		return false;
	while (set->numbers[at] && set->numbers[at] != number)
		at = (at + 1) % SET_SIZE;
	if (set->numbers[at])
		return false;
	set->numbers[at] = number;
	set->nr++;
	return true;
}

/* The two places of a step are less than 4 GiB apart, like all of a module. */
unsigned int trace_end(void)
{
	unsigned int i, nr = trace->nr_steps, found = 0;
	__u64 before = 0;

	for (i = 0; i < nr && i < TRACE_STEPS; i++) {
		__u64 place = trace->steps[i];

		found += add(&places, place);
		found += add(&steps, place << 32 | (__u32)before);
		before = place;
	}
	/* The last are kept, in a ring. */
	for (i = 0; i < trace->nr_pairs && i < TRACE_PAIRS; i++)
		pairs[nr_pairs++ % PAIRS_KEPT] = trace->pairs[i];
	return found;
}

unsigned int trace_places(void)
{
	return places.nr;
}

unsigned int trace_steps(void)
{
	return steps.nr;
}

bool trace_pair(__u64 number, struct trace_pair *pair)
{
	__u64 kept = nr_pairs < PAIRS_KEPT ? nr_pairs : PAIRS_KEPT;

	if (!kept)
		return false;
	*pair = pairs[number % kept];
	return true;
}
