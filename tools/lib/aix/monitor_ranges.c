// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The bins of monitor()'s files divide their range evenly. Counters by 4.4BSD's
 * rule do so for a scale that is a power of two; with any other scale, each
 * counter has slightly more text than requested. The end of the range in the file
 * is computed from the actual scale.
 */
#include <errno.h>
#include <limits.h>
#include <stddef.h>

#include "aix/monitor_error.h"
#include "aix/monitor_ranges.h"
#include "core/user_copy.h"

#define ONE_TO_ONE 0x10000

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

static int check_order(const struct ranges *ranges)
{
	for (uint32_t i = 0; i < ranges->nr; i++) {
		const struct prof *prof = &ranges->prof[i];

		if (!prof->p_low || prof->p_high <= prof->p_low)
			return MONITOR_BAD_RANGE;
		if (i && prof->p_low < prof[-1].p_high)
			return MONITOR_OVERLAP;
		if (prof->p_bufsize <= 0 || prof->p_bufsize > INT_MAX / 2)
			return MONITOR_BAD_NUMBER;
	}
	if ((uintptr_t)ranges->prof->p_buff % HIST_COUNTER_SIZE)
		return MONITOR_ODD;
	if (!profil_ranges_adjoin(ranges, HIST_COUNTER_SIZE))
		return MONITOR_APART;
	return 0;
}

static int set_scale(struct prof *prof)
{
	prof->p_bufsize *= HIST_COUNTER_SIZE;
	prof->p_scale = profil_ranges_scale(prof, ONE_TO_ONE);
	if (prof->p_scale < 2)
		return MONITOR_TOO_FEW;
	return 0;
}

int profil_monitor_ranges_prepare(struct ranges *ranges, size_t front)
{
	size_t taken = (front + HIST_COUNTER_SIZE - 1) / HIST_COUNTER_SIZE;
	int ret = check_order(ranges);

	if (ret)
		return ret;
	for (uint32_t i = 0; i < ranges->nr; i++)
		if (wipe((char *)ranges->prof[i].p_buff,
			 ranges->prof[i].p_bufsize * HIST_COUNTER_SIZE))
			return MONITOR_NOT_WRITABLE;
	if (taken >= (size_t)ranges->prof->p_bufsize)
		return MONITOR_NO_ROOM;
	ranges->prof->p_buff += taken;
	ranges->prof->p_bufsize -= taken;
	for (uint32_t i = 0; i < ranges->nr && !ret; i++)
		ret = set_scale(&ranges->prof[i]);
	return ret;
}

/* Bytes of text of @counters counters */
static uint64_t reach(uint64_t counters, uint32_t scale)
{
	return ((counters << 17) + scale - 1) / scale;
}

uint64_t profil_monitor_ranges_end(const struct prof *prof)
{
	uint64_t counters = profil_ranges_counters(prof, false);

	return (uintptr_t)prof->p_low + reach(counters, prof->p_scale);
}
