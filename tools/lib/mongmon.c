// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * gmon.out of the ranges that monitor() was given
 *
 * gprof wants bins of one size in a file, and ranges that do not overlap. The
 * counters of several ranges may differ in what they stand for, and the last of
 * one range reach into the next. So where there are several, each counter's
 * samples are spread over bins for 2 bytes of text each.
 */
#include <errno.h>
#include <sys/mman.h>

#include "arcs.h"
#include "gmonfile.h"
#include "mongmon.h"
#include "monranges.h"
#include "objectat.h"

#define TEXT_OF_BIN 2

/**
 * struct writing - what is being written
 * @file: the file
 * @ranges: all that it gets
 * @object: that they are in
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
	return profil_gmonfile_hist(writing->file, hist,
				    rate_of(writing->ranges));
}

static int write_one(const struct writing *writing)
{
	const struct prof *prof = writing->ranges->prof;
	struct gmon_hist hist = {
		.low = (uintptr_t)prof->p_low,
		.high = profil_monranges_end(prof),
		.counters = prof->p_buff,
		.width = HIST_COUNTER_SIZE,
		.bins = profil_ranges_counters(prof, false),
	};

	return write_hist(writing, &hist);
}

/* The first bin of those that @counter stands for */
static uint64_t first_bin(uint64_t counter, uint32_t scale)
{
	return ((counter << 16) + scale - 1) / scale;
}

static void spread(const struct prof *prof, HISTCOUNTER *bins, uint64_t nr)
{
	uint64_t counters = profil_ranges_counters(prof, false);

	for (uint64_t i = 0; i < counters; i++) {
		uint64_t first = first_bin(i, prof->p_scale);
		uint64_t end = first_bin(i + 1, prof->p_scale);
		uint64_t count = prof->p_buff[i];

		if (end > nr)
			end = nr;
		for (uint64_t k = 1; k <= end - first; k++)
			bins[first + k - 1] = count * k / (end - first) -
					      count * (k - 1) / (end - first);
	}
}

static int write_spread(const struct writing *writing, const struct prof *prof)
{
	uint64_t nr = (prof->p_high - prof->p_low) / TEXT_OF_BIN;
	size_t size = nr * sizeof(HISTCOUNTER);
	struct gmon_hist hist = {
		.low = (uintptr_t)prof->p_low,
		.high = (uintptr_t)prof->p_low + nr * TEXT_OF_BIN,
		.width = sizeof(HISTCOUNTER),
		.bins = nr,
	};
	void *bins;
	int ret;

	if (!nr)
		return 0;
	bins = mmap(NULL, size, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bins == MAP_FAILED)
		return -ENOMEM;
	spread(prof, bins, nr);
	hist.counters = bins;
	ret = write_hist(writing, &hist);
	munmap(bins, size);
	return ret;
}

/* As in gmonout.c, a call from elsewhere comes in where the object's way does. */
static uint64_t caller_of(const struct gmon_arc *arc,
			  const struct object *object)
{
	bool inside = arc->from >= object->start && arc->from < object->end;

	return (inside ? arc->from : object->entry) - object->base;
}

static int write_arc(const struct gmon_arc *arc, void *data)
{
	const struct writing *writing = data;
	struct gmon_arc shown = {
		.from = caller_of(arc, &writing->object),
		.self = arc->self - writing->object.base,
		.count = arc->count,
	};

	if (!profil_ranges_contain(writing->ranges, arc->self))
		return 0;
	return profil_gmonfile_arc(writing->file, &shown);
}

static int write_ranges(const struct writing *writing)
{
	const struct ranges *ranges = writing->ranges;
	int ret = 0;

	if (ranges->nr == 1)
		return write_one(writing);
	for (uint32_t i = 0; i < ranges->nr && !ret; i++)
		ret = write_spread(writing, &ranges->prof[i]);
	return ret;
}

int profil_mongmon_write(const struct ranges *ranges, const char *name)
{
	struct gmon_file file;
	struct writing writing = {
		.file = &file,
		.ranges = ranges,
		.object = profil_object_at((uintptr_t)ranges->prof->p_low),
	};
	int ret = profil_gmonfile_open(&file, name, GMON_GNU);
	int closed;

	if (ret)
		return ret;
	ret = write_ranges(&writing);
	if (!ret)
		ret = profil_arcs_each(write_arc, &writing);
	closed = profil_gmonfile_close(&file);
	return ret ? ret : closed;
}
