// SPDX-License-Identifier: LGPL-2.1-or-later
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aix/call_counts.h"
#include "aix/mon_out.h"
#include "aix/monitor_files.h"
#include "aix/monitor_gmon.h"
#include "aix/monitor_ranges.h"
#include "aix/range_bins.h"
#include "core/log.h"
#include "core/objects.h"
#include "gprof/mcount/file_suffix.h"

static const char no_room[] =
	"more functions were called than nfunc has room for: pass a larger nfunc";

/* Store the calls of a function in a range at index @nr; whether it is in one. */
static bool keep_call(const struct monitor_profile *profile,
		      const struct call_count *call_count, uint64_t nr)
{
	struct poutcnt call = {
		(void *)(uintptr_t)call_count->self,
		call_count->count,
	};

	if (!call_count->count ||
	    !profil_ranges_contain(&profile->ranges, call_count->self))
		return false;
	if (nr < profile->nr_calls)
		memcpy(profile->calls + nr * sizeof(call), &call, sizeof(call));
	return true;
}

/* A forked child has the calls made in the child, its parent the others. */
static int collect_calls(const struct monitor_profile *profile)
{
	struct call_counts counts;
	uint64_t nr = 0;
	int ret = profil_call_counts_take(&counts);

	if (ret)
		return ret;
	for (uint64_t i = 0; i < counts.size; i++)
		nr += keep_call(profile, &counts.slots[i], nr);
	profil_call_counts_free(&counts);
	if (nr > profile->nr_calls)
		profil_log("monitor: %s", no_room);
	return 0;
}

/* Whether the text of the last counter reaches into the next range */
static bool reaches_next(const struct monitor_profile *profile, uint32_t i)
{
	const struct prof *prof = &profile->ranges.prof[i];

	return i + 1 < profile->ranges.nr &&
	       profil_monitor_ranges_end(prof) > (uintptr_t)prof[1].p_low;
}

/* Adding up the files of adjacent ranges requires that they do not overlap. */
static int write_spread(const char *name, struct mon_out *mon_out,
			const struct prof *prof)
{
	uint64_t bytes = prof->p_high - prof->p_low;
	unsigned int text = bytes % 2 ? 1 : 2;
	struct range_bins bins;
	int ret = profil_range_bins_make(&bins, prof, text, bytes / text);

	if (ret)
		return ret;
	mon_out->high = (uintptr_t)prof->p_high;
	mon_out->counters = bins.counts;
	mon_out->nr = bins.nr;
	ret = profil_mon_out_write(name, mon_out);
	profil_range_bins_free(&bins);
	return ret;
}

static int write_range(const struct monitor_profile *profile, uint32_t i,
		       const char *name)
{
	const struct prof *prof = &profile->ranges.prof[i];
	struct mon_out mon_out = {
		.low = (uintptr_t)prof->p_low,
		.high = profil_monitor_ranges_end(prof),
		.base = profil_object_at((uintptr_t)prof->p_low).base,
		.counters = prof->p_buff,
		.nr = profil_ranges_counters(prof, false),
		.calls = profile->calls,
		.nr_calls = profile->nr_calls,
	};

	if (reaches_next(profile, i))
		return write_spread(name, &mon_out, prof);
	return profil_mon_out_write(name, &mon_out);
}

/* One file per range: the format of mon.out has a single range. */
static int write_mon(const struct monitor_profile *profile,
		     char name[OUTPUT_PATH_MAX])
{
	int ret = collect_calls(profile);

	for (uint32_t i = 0; i < profile->ranges.nr && !ret; i++) {
		ret = profil_mon_out_name(name, PATH_MAX, i);
		if (!ret && *name)
			ret = write_range(profile, i, name);
	}
	return ret;
}

/* Number of ranges from @i on that are in the same object */
static uint32_t nr_together(const struct monitor_profile *profile, uint32_t i)
{
	const struct prof *prof = &profile->ranges.prof[i];
	struct object object = profil_object_at((uintptr_t)prof->p_low);
	uint32_t nr = 1;

	while (i + nr < profile->ranges.nr &&
	       (uintptr_t)prof[nr].p_low < object.end)
		nr++;
	return nr;
}

/* One file per object, since each object has its own symbol table. */
static int name_gmon(const struct monitor_profile *profile,
		     char name[OUTPUT_PATH_MAX], uint32_t number)
{
	int process = profile->numbered ? getpid() : profil_file_suffix();
	char suffix[16] = "";

	if (number)
		snprintf(suffix, sizeof(suffix), "%u", number + 1);
	return profil_output_path_get(&profile->output, process, suffix, name);
}

static int write_gmon(const struct monitor_profile *profile,
		      char name[OUTPUT_PATH_MAX])
{
	uint32_t number = 0;
	int ret = 0;

	for (uint32_t i = 0; i < profile->ranges.nr && !ret; number++) {
		struct ranges some = profile->ranges;

		some.prof += i;
		some.nr = nr_together(profile, i);
		i += some.nr;
		ret = name_gmon(profile, name, number);
		if (!ret)
			ret = profil_monitor_gmon_write(&some, name);
	}
	return ret;
}

int profil_monitor_files_write(const struct monitor_profile *profile,
			       char path[OUTPUT_PATH_MAX])
{
	*path = '\0';
	return profile->type == _PROF_TYPE_IS_P ? write_mon(profile, path) :
						  write_gmon(profile, path);
}
