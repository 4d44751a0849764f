// SPDX-License-Identifier: LGPL-2.1-or-later
/* The formats of gmon.out, written from within mcount(), too */
#include <errno.h>
#include <limits.h>

#include "gprof/mcount/gmon_format.h"
#include "include/gmon_layout.h"

/* The largest count that a bin holds */
#define MAX_COUNT UINT16_MAX
#define BSD_HEADER (2 * sizeof(long) + GMON_BSD_REST)

static void put(struct gmon_file *file, const void *data, size_t size)
{
	profil_outfile_put(&file->out, data, size);
}

static int fail(struct gmon_file *file, int error)
{
	return profil_outfile_fail(&file->out, error);
}

static void put_u8(struct gmon_file *file, uint8_t value)
{
	put(file, &value, sizeof(value));
}

static void put_u32(struct gmon_file *file, uint32_t value)
{
	put(file, &value, sizeof(value));
}

static void put_address(struct gmon_file *file, uint64_t value)
{
	unsigned long address = value;

	put(file, &address, sizeof(address));
}

int profil_gmon_file_open(struct gmon_file *file, const char *path,
			  enum gmon_format format)
{
	file->format = format;
	file->has_hist = false;
	if (!profil_outfile_open(&file->out, path) && format == GMON_GNU) {
		put(file, GMON_MAGIC, GMON_MAGIC_SIZE);
		put_u32(file, GMON_GNU_VERSION);
		for (int i = 0; i < 3; i++)
			put_u32(file, 0);
	}
	return file->out.error;
}

static uint64_t counter(const struct gmon_hist *hist, uint64_t bin)
{
	switch (hist->width) {
	case 2:
		return ((const volatile uint16_t *)hist->counters)[bin];
	case 4:
		return ((const volatile uint32_t *)hist->counters)[bin];
	default:
		return ((const volatile uint64_t *)hist->counters)[bin];
	}
}

/* Counters less @skipped, the part in earlier records; whether more is left */
static bool put_counters(struct gmon_file *file, const struct gmon_hist *hist,
			 uint64_t skipped)
{
	bool more = false;

	for (uint64_t bin = 0; bin < hist->bins && !file->out.error; bin++) {
		uint64_t count = counter(hist, bin);
		uint64_t left = count > skipped ? count - skipped : 0;
		uint16_t shown = left < MAX_COUNT ? left : MAX_COUNT;

		put(file, &shown, sizeof(shown));
		more |= left > MAX_COUNT;
	}
	return more;
}

static void put_gnu_hist(struct gmon_file *file, const struct gmon_hist *hist,
			 uint32_t rate)
{
	static const char dimension[GMON_DIMENSION_SIZE] = "seconds";
	uint64_t skipped = 0;
	bool more;

	do {
		put_u8(file, GMON_TAG_HIST);
		put_address(file, hist->low);
		put_address(file, hist->high);
		put_u32(file, hist->bins);
		put_u32(file, rate);
		put(file, dimension, sizeof(dimension));
		put_u8(file, 's');
		more = put_counters(file, hist, skipped);
		skipped += MAX_COUNT;
	} while (more && !file->out.error);
}

static void put_bsd_hist(struct gmon_file *file, const struct gmon_hist *hist,
			 uint32_t rate)
{
	put_address(file, hist->low);
	put_address(file, hist->high);
	put_u32(file, BSD_HEADER + GMON_BIN_SIZE * hist->bins);
	put_u32(file, GMON_BSD_VERSION);
	put_u32(file, rate);
	for (int i = 0; i < 3; i++)
		put_u32(file, 0);
	put_counters(file, hist, 0);
}

int profil_gmon_file_hist(struct gmon_file *file, const struct gmon_hist *hist,
			  uint32_t rate)
{
	if (file->format == GMON_BSD && file->has_hist)
		return fail(file, -EINVAL);
	if (hist->bins > (INT32_MAX - BSD_HEADER) / GMON_BIN_SIZE)
		return fail(file, -E2BIG);
	file->has_hist = true;
	if (file->format == GMON_BSD)
		put_bsd_hist(file, hist, rate);
	else
		put_gnu_hist(file, hist, rate);
	return file->out.error;
}

static void put_bsd_arc(struct gmon_file *file, const struct gmon_arc *arc)
{
	uint64_t left = arc->count;

	do {
		unsigned long some = left < ULONG_MAX ? left : ULONG_MAX;

		put_address(file, arc->from);
		put_address(file, arc->self);
		put_address(file, some);
		left -= some;
	} while (left && !file->out.error);
}

static void put_gnu_arc(struct gmon_file *file, const struct gmon_arc *arc)
{
	uint64_t left = arc->count;

	do {
		uint32_t some = left < INT32_MAX ? left : INT32_MAX;

		put_u8(file, GMON_TAG_ARC);
		put_address(file, arc->from);
		put_address(file, arc->self);
		put_u32(file, some);
		left -= some;
	} while (left && !file->out.error);
}

int profil_gmon_file_arc(struct gmon_file *file, const struct gmon_arc *arc)
{
	if (file->format == GMON_BSD && !file->has_hist)
		return fail(file, -EINVAL);
	if (file->format == GMON_BSD)
		put_bsd_arc(file, arc);
	else
		put_gnu_arc(file, arc);
	return file->out.error;
}

int profil_gmon_file_close(struct gmon_file *file)
{
	return profil_outfile_close(&file->out);
}
