// SPDX-License-Identifier: GPL-2.0-only
/*
 * Second example of AIX's monitor manual: the program and the C library, whose
 * addresses come from dl_iterate_phdr(), with -p
 */
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "examples.h"

#define FUNCTIONS 400

typedef ElfW(Phdr) segment_t;

static caddr_t liblo, libhi;

/* Find the executable segment that contains @data, a function. */
static int find_library(struct dl_phdr_info *object, size_t size, void *data)
{
	(void)size;
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const segment_t *segment = &object->dlpi_phdr[i];
		caddr_t low = (caddr_t)(object->dlpi_addr + segment->p_vaddr);

		if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
		    (caddr_t)data < low ||
		    (caddr_t)data >= low + segment->p_memsz)
			continue;
		liblo = low;
		libhi = low + segment->p_memsz;
		return 1;
	}
	return 0;
}

static int compare(const void *one, const void *other)
{
	return memcmp(one, other, sizeof(int));
}

/* Spend time, most of it in the C library. */
static void sort_until_sampled(const HISTCOUNTER counters[], int nr)
{
	static int numbers[2000];

	while (!is_sampled(counters, nr)) {
		for (int i = 0; i < 2000; i++)
			numbers[i] = rand();
		qsort(numbers, 2000, sizeof(*numbers), compare);
	}
}

int start(void)
{
	struct prof pb[3];
	int range, numtics, num4fcnt, size1, size2;

	if (!dl_iterate_phdr(find_library, qsort))
		return -1;
	range = etext - (caddr_t)start;
	numtics = NUM_HIST_COUNTERS(range);
	num4fcnt = FUNCTIONS * sizeof(struct poutcnt) / HIST_COUNTER_SIZE;
	size1 = numtics + num4fcnt;
	range = libhi - liblo;
	size2 = range / 12; /* one counter for 12 bytes */

	pb[0].p_buff = malloc((size1 + size2) * HIST_COUNTER_SIZE);
	if (!pb[0].p_buff)
		return -1;
	pb[0].p_low = (caddr_t)start;
	pb[0].p_high = (caddr_t)etext;
	pb[0].p_bufsize = size1;
	pb[1].p_buff = pb[0].p_buff + size1;
	pb[1].p_low = liblo;
	pb[1].p_high = libhi;
	pb[1].p_bufsize = size2;
	pb[2].p_high = (caddr_t)0;

	_mondata.prof_type = _PROF_TYPE_IS_P;
	if (monitor((caddr_t)1, (caddr_t)1, pb, -1, FUNCTIONS))
		return -1;
	sort_until_sampled(pb[1].p_buff, size2);
	return monitor((caddr_t)0);
}

int main(void)
{
	return start() ? EXIT_FAILURE : EXIT_SUCCESS;
}
