// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The bins of monitor()'s files divide their range evenly, and so do counters
 * by 4.4BSD's rule, but for those of a scale that is no power of two: each then
 * stands for a little more text than asked for. The end of the range that goes
 * into a file is where that leads to.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "aix/monitor_error.h"
#include "aix/monitor_ranges.h"
#include "core/user_copy.h"

#define ONE_TO_ONE 0x10000

/* What can be wrong, and what mends it */
static const char no_range[] =
	"the range is none: it must begin above 0, and end behind that";
static const char overlap[] =
	"the ranges overlap or descend: sort them, and keep them apart";
static const char no_counters[] =
	"there are no counters, or too many: give from 1 to 1073741823";
static const char odd[] =
	"the counters are at an odd address: give them an even one";
static const char apart[] =
	"the counters are not in one piece: put each p_buff behind the last";
static const char too_few[] =
	"there are too few counters: give it one for 64 KiB of text at the least";
static const char not_writable[] =
	"the counters are not writable memory: give it some that is";
static const char no_room[] =
	"the room for calls leaves no counters: give it more counters";

static int wipe(char *memory, size_t size)
{
	static const char zeros[4096];
	int ret = 0;

	for (size_t done = 0; done < size && !ret; done += sizeof(zeros)) {
		size_t some = size - done;

		if (some > sizeof(zeros))
			some = sizeof(zeros);
		ret = profil_user_copy_to(memory + done, zeros, some);
	}
	return ret;
}

static const char *check_order(const struct ranges *ranges)
{
	for (uint32_t i = 0; i < ranges->nr; i++) {
		const struct prof *prof = &ranges->prof[i];

		if (!prof->p_low || prof->p_high <= prof->p_low)
			return profil_wrong(EINVAL, no_range);
		if (i && prof->p_low < prof[-1].p_high)
			return profil_wrong(EINVAL, overlap);
		if (prof->p_bufsize <= 0 || prof->p_bufsize > INT_MAX / 2)
			return profil_wrong(EINVAL, no_counters);
	}
	if ((uintptr_t)ranges->prof->p_buff % HIST_COUNTER_SIZE)
		return profil_wrong(EINVAL, odd);
	if (!profil_ranges_adjoin(ranges, HIST_COUNTER_SIZE))
		return profil_wrong(EINVAL, apart);
	return NULL;
}

static const char *set_scale(struct prof *prof)
{
	prof->p_bufsize *= HIST_COUNTER_SIZE;
	prof->p_scale = profil_ranges_scale(prof, ONE_TO_ONE);
	if (prof->p_scale < 2)
		return profil_wrong(EINVAL, too_few);
	return NULL;
}

const char *profil_monitor_ranges_prepare(struct ranges *ranges, size_t front)
{
	size_t taken = (front + HIST_COUNTER_SIZE - 1) / HIST_COUNTER_SIZE;
	const char *wrong = check_order(ranges);

	if (wrong)
		return wrong;
	for (uint32_t i = 0; i < ranges->nr; i++)
		if (wipe((char *)ranges->prof[i].p_buff,
			 ranges->prof[i].p_bufsize * HIST_COUNTER_SIZE))
			return profil_wrong(EFAULT, not_writable);
	if (taken >= (size_t)ranges->prof->p_bufsize)
		return profil_wrong(EINVAL, no_room);
	ranges->prof->p_buff += taken;
	ranges->prof->p_bufsize -= taken;
	for (uint32_t i = 0; i < ranges->nr && !wrong; i++)
		wrong = set_scale(&ranges->prof[i]);
	return wrong;
}

/* Bytes of text for @counters of them */
static uint64_t reach(uint64_t counters, uint32_t scale)
{
	return ((counters << 17) + scale - 1) / scale;
}

uint64_t profil_monitor_ranges_end(const struct prof *prof)
{
	uint64_t counters = profil_ranges_counters(prof, false);

	return (uintptr_t)prof->p_low + reach(counters, prof->p_scale);
}
