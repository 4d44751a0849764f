// SPDX-License-Identifier: GPL-2.0-only
/*
 * gmon.out of one program or library, in GNU's format
 *
 * The ranges of the histograms are the functions with samples, so the file is
 * small however large the program is, and each function is in one range, as
 * gprof(1) requires. A bin stands for two bytes, as for profil(3). The counters
 * of a bin have 16 bits: readers add up histograms of the same range, so a range
 * is repeated until the largest counter is complete.
 */
#include "export/format.h"
#include "include/gmon_layout.h"
#include "util/clock.h"

#define STEP 2ULL
#define MAX_COUNT UINT16_MAX

/* A larger function is malformed. */
#define MAX_FUNCTION 0x1000000ULL

/* A range of code, from the lowest address to that after the highest, both even */
struct gmon_range {
	uint64_t low;
	uint64_t high;
};

/* Samples in a bin, and the range of their function */
struct gmon_count {
	struct gmon_range range;
	uint64_t bin;
	uint64_t samples;
};

/* A file that is written */
struct gmon {
	const struct profile *profile;
	uint32_t object;
	FILE *out;
};

static void put_int(FILE *out, int32_t number)
{
	fwrite(&number, sizeof(number), 1, out);
}

/* The function around a place, if its bytes are known and contain the place */
static const struct profile_function *
function_of(const struct profile *profile, const struct profile_place *place)
{
	const struct profile_function *it;

	if (place->function == PROFILE_NONE)
		return NULL;
	it = &profile->functions[place->function];
	if (place->address - it->address >= it->size || it->size > MAX_FUNCTION)
		return NULL;
	return it;
}

static struct gmon_range range_of(const struct profile *profile,
				  const struct profile_place *place)
{
	const struct profile_function *it = function_of(profile, place);
	uint64_t low = place->address, high = low + 1;

	if (it) {
		low = it->address;
		high = low + it->size;
	}
	return (struct gmon_range){ low - low % STEP, high + high % STEP };
}

/*
 * The bin of a place. A bin with the ends of two functions counts for the second
 * one in gprof, and for both in profil report, so the bin beside is used.
 */
static uint64_t bin_of(const struct profile *profile,
		       const struct profile_place *place)
{
	const struct profile_function *it = function_of(profile, place);
	uint64_t bin = place->address / STEP;

	if (!it || it->size <= STEP)
		return bin;
	if (bin == it->address / STEP && it->address % STEP)
		return bin + 1;
	if (bin == (it->address + it->size) / STEP)
		return bin - 1;
	return bin;
}

static int by_low(const void *a, const void *b)
{
	const struct gmon_count *one = a, *other = b;

	return compare_numbers(one->range.low, other->range.low);
}

/* The place of @sample, if it is in the object and has samples, or NULL */
static const struct profile_place *
counted_place(const struct gmon *gmon, const struct profile_sample *sample)
{
	const struct profile_place *place =
		profile_place_of(gmon->profile, sample);

	return place->object == gmon->object && profile_samples_of(sample) ?
		       place :
		       NULL;
}

/* Counts in the object by their ranges, to be freed; their number in @nr */
static struct gmon_count *counts_of(const struct gmon *gmon, size_t *nr)
{
	const struct profile *profile = gmon->profile;
	struct gmon_count *counts =
		profil_grow(NULL, profile->nr_samples + 1ULL, sizeof(*counts));

	*nr = 0;
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place = counted_place(gmon, sample);

		if (place)
			counts[(*nr)++] = (struct gmon_count){
				range_of(profile, place),
				bin_of(profile, place),
				profile_samples_of(sample),
			};
	}
	ARRAY_SORT(counts, *nr, by_low);
	return counts;
}

/* The range of the first of @counts and of those that overlap; @nr is set to their number. */
static struct gmon_range merge(const struct gmon_count *counts, size_t *nr)
{
	struct gmon_range range = counts->range;
	size_t i = 1;

	for (; i < *nr && counts[i].range.low <= range.high; i++)
		if (counts[i].range.high > range.high)
			range.high = counts[i].range.high;
	*nr = i;
	return range;
}

static int32_t rate_of(const struct profile *profile)
{
	uint64_t period = profile->head.period_ns;
	uint64_t rate = period ? (SECOND + period / 2) / period : 0;

	return rate ? rate : 1;
}

static void put_head(const struct gmon *gmon, const struct gmon_range *range)
{
	static const char seconds[GMON_DIMENSION_SIZE] = "seconds";

	fputc(GMON_TAG_HIST, gmon->out);
	fwrite(&range->low, sizeof(range->low), 1, gmon->out);
	fwrite(&range->high, sizeof(range->high), 1, gmon->out);
	put_int(gmon->out, (range->high - range->low) / STEP);
	put_int(gmon->out, rate_of(gmon->profile));
	fwrite(seconds, sizeof(seconds), 1, gmon->out);
	fputc('s', gmon->out);
}

/* One histogram, whose counts are subtracted; true if some are left */
static bool put_bins(const struct gmon *gmon, uint64_t *bins, size_t nr)
{
	bool is_left = false;

	for (size_t i = 0; i < nr; i++) {
		uint16_t part = bins[i] < MAX_COUNT ? bins[i] : MAX_COUNT;

		bins[i] -= part;
		is_left |= bins[i] > 0;
		fwrite(&part, sizeof(part), 1, gmon->out);
	}
	return is_left;
}

/* Write the range of the first of @nr counts: how many are in it */
static size_t put_range(const struct gmon *gmon,
			const struct gmon_count *counts, size_t nr)
{
	struct gmon_range range = merge(counts, &nr);
	size_t nr_bins = (range.high - range.low) / STEP;
	uint64_t *bins = profil_zeros(nr_bins, sizeof(*bins));

	for (size_t i = 0; i < nr; i++)
		bins[counts[i].bin - range.low / STEP] += counts[i].samples;
	do
		put_head(gmon, &range);
	while (put_bins(gmon, bins, nr_bins));
	free(bins);
	return nr;
}

static void put_ranges(const struct gmon *gmon)
{
	size_t nr;
	struct gmon_count *counts = counts_of(gmon, &nr);

	for (size_t i = 0; i < nr;)
		i += put_range(gmon, &counts[i], nr - i);
	free(counts);
}

/* Addresses can be added to. */
static bool is_valid(const struct profile *profile, uint32_t object)
{
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_place *place =
			profile_place_of(profile, &profile->samples[i]);

		if (place->object == object && place->address > INT64_MAX)
			return false;
	}
	return true;
}

/* gprof has the sums of the counters as int. */
static const char *check_gmon(const struct profile *profile, uint64_t *samples)
{
	uint32_t object;
	const char *reason = profil_export_object(profile, &object, samples);

	if (reason)
		return reason;
	if (!is_valid(profile, object))
		return "a sample is at an address of no program";
	return *samples > INT_MAX ? profil_export_many_samples : NULL;
}

static void write_gmon(const struct profile *profile, FILE *out)
{
	static const char
		zeros[GMON_GNU_HEADER - GMON_MAGIC_SIZE - sizeof(int32_t)];
	struct gmon gmon = { .profile = profile, .out = out };
	uint64_t samples;

	profil_export_object(profile, &gmon.object, &samples);
	fwrite(GMON_MAGIC, GMON_MAGIC_SIZE, 1, out);
	put_int(out, GMON_GNU_VERSION);
	fwrite(zeros, sizeof(zeros), 1, out);
	put_ranges(&gmon);
}

const struct export_format profil_format_gmon = {
	.file = "profil.gmon",
	.next = "gprof -p PROGRAM ",
	.check = check_gmon,
	.write = write_gmon,
};
