// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gmon.out for the ranges of monitor()
 *
 * gprof requires bins of one size in a file, and ranges that do not overlap. The
 * counters of different ranges may have texts of different sizes, and the last
 * counter of a range may reach into the next range. With several ranges, the
 * samples of each counter are therefore spread over bins for 2 bytes of text.
 */
#include <stdbool.h>

#include "aix/monitor_gmon.h"
#include "aix/monitor_ranges.h"
#include "aix/range_bins.h"
#include "core/objects.h"
#include "gprof/mcount/arcs.h"
#include "gprof/mcount/gmon_format.h"

#define TEXT_OF_BIN 2

/**
 * struct writing - state of writing a file
 * @file: the file
 * @ranges: ranges of the file
 * @object: object that contains the ranges
 */
struct writing {
	struct gmon_file *file;
	const struct ranges *ranges;
	struct object object;
};

static uint32_t rate_of(const struct ranges *ranges)
{
	uint64_t period = ranges->period_ns;

	return period ? (1000000000 + period / 2) / period : 0;
}

static int write_hist(const struct writing *writing, struct gmon_hist *hist)
{
	hist->low -= writing->object.base;
	hist->high -= writing->object.base;
	return profil_gmon_file_hist(writing->file, hist,
				     rate_of(writing->ranges));
}

static int write_one(const struct writing *writing)
{
	const struct prof *prof = writing->ranges->prof;
	struct gmon_hist hist = {
		.low = (uintptr_t)prof->p_low,
		.high = profil_monitor_ranges_end(prof),
		.counters = prof->p_buff,
		.width = HIST_COUNTER_SIZE,
		.bins = profil_ranges_counters(prof, false),
	};

	return write_hist(writing, &hist);
}

/* An odd last byte gets a bin, unless the bin would reach into the next range. */
static uint64_t nr_bins(const struct prof *prof, bool is_last)
{
	uint64_t bytes = prof->p_high - prof->p_low;
	uint64_t nr = (bytes + TEXT_OF_BIN - 1) / TEXT_OF_BIN;

	if (!is_last && prof[1].p_low < prof->p_low + nr * TEXT_OF_BIN)
		nr--;
	return nr;
}

static int write_spread(const struct writing *writing, const struct prof *prof,
			bool is_last)
{
	struct gmon_hist hist = {
		.low = (uintptr_t)prof->p_low,
		.width = sizeof(HISTCOUNTER),
		.bins = nr_bins(prof, is_last),
	};
	struct range_bins bins;
	int ret;

	if (!hist.bins)
		return 0;
	ret = profil_range_bins_make(&bins, prof, TEXT_OF_BIN, hist.bins);
	if (ret)
		return ret;
	hist.high = hist.low + hist.bins * TEXT_OF_BIN;
	hist.counters = bins.counts;
	ret = write_hist(writing, &hist);
	profil_range_bins_free(&bins);
	return ret;
}

static int write_arc(const struct gmon_arc *arc, void *data)
{
	const struct writing *writing = data;
	struct gmon_arc shown = {
		.from = object_caller(&writing->object, arc->from),
		.self = arc->self - writing->object.base,
		.count = arc->count,
	};

	if (!profil_ranges_contain(writing->ranges, arc->self))
		return 0;
	return profil_gmon_file_arc(writing->file, &shown);
}

static int write_ranges(const struct writing *writing)
{
	const struct ranges *ranges = writing->ranges;
	int ret = 0;

	if (ranges->nr == 1)
		return write_one(writing);
	for (uint32_t i = 0; i < ranges->nr && !ret; i++)
		ret = write_spread(writing, &ranges->prof[i],
				   i + 1 == ranges->nr);
	return ret;
}

int profil_monitor_gmon_write(const struct ranges *ranges, const char *name)
{
	struct gmon_file file;
	struct writing writing = {
		.file = &file,
		.ranges = ranges,
		.object = profil_object_at((uintptr_t)ranges->prof->p_low),
	};
	int ret = profil_gmon_file_open(&file, name, GMON_GNU);
	int closed;

	if (ret)
		return ret;
	ret = write_ranges(&writing);
	if (!ret)
		ret = profil_arcs_each(write_arc, &writing);
	closed = profil_gmon_file_close(&file);
	return ret ? ret : closed;
}
