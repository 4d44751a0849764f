// SPDX-License-Identifier: GPL-2.0-only
/*
 * How samples are divided between functions
 *
 * The oracle is the list of the functions in layout.S and arithmetic in
 * integers, address by address.
 */
#include <libgen.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <linux/types.h>

#include "read/import.h"
#include "sound.h"
#include "tap.h"

#define TEXT 0x401000ULL
#define TRIALS 3000
#define MAX_LENGTH 0x90

/* Addresses of the functions in layout.S; the gap is part of the second. */
static const struct {
	const char *name;
	__u64 low;
	__u64 high;
} layout[] = {
	{ "first", TEXT, TEXT + 0x10 },
	{ "second", TEXT + 0x10, TEXT + 0x20 },
	{ "third", TEXT + 0x20, TEXT + 0x40 },
	{ "last", TEXT + 0x40, TEXT + 0x50 },
};

static struct profile profile;
static struct import import;

/* Import for layout, in the directory of this program */
static bool begin(void)
{
	static char path[2 * PATH_MAX];
	char self[PATH_MAX] = "";

	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(path, sizeof(path), "%s/layout", dirname(self));
	profil_profile_init(&profile);
	import = (struct import){
		.profile = &profile,
		.path = path,
		.how = "with -e",
	};
	profil_import_begin(&import, 8);
	return true;
}

static void end(void)
{
	profil_import_end(&import, &(struct gprof_data){ .word = 8 });
	profil_profile_free(&profile);
}

static __u64 parts_of(const char *name)
{
	__u64 parts = 0;

	for (uint32_t i = 0; i < profile.nr_samples; i++) {
		const struct profile_sample *sample = &profile.samples[i];
		const struct profile_place *place =
			&profile.places[sample->place];

		if (!strcmp(profile.functions[place->function].name, name))
			parts += sample->user;
	}
	return parts;
}

/* Overlap of bin @bin with the addresses from @low to @high, times the bins */
static unsigned __int128 overlap(const struct histogram *histogram, size_t bin,
				 __u64 low, __u64 high)
{
	unsigned __int128 length = histogram->high - histogram->low;
	unsigned __int128 start =
		histogram->low * (unsigned __int128)histogram->nr +
		length * bin;
	unsigned __int128 end = start + length;
	unsigned __int128 from = low * (unsigned __int128)histogram->nr;
	unsigned __int128 to = high * (unsigned __int128)histogram->nr;

	from = from > start ? from : start;
	to = to < end ? to : end;
	return to > from ? to - from : 0;
}

/* Rounding may move one part for each bin. */
static bool is_due(const struct histogram *histogram, const __u64 *samples,
		   __u64 low, __u64 high, __u64 parts)
{
	unsigned __int128 length = histogram->high - histogram->low;
	unsigned __int128 due = 0, slack = length * histogram->nr;
	unsigned __int128 seen = parts * length;

	for (size_t i = 0; i < histogram->nr; i++)
		due += overlap(histogram, i, low, high) * samples[i] *
		       SAMPLE_PARTS;
	CHECK(seen + slack >= due && seen <= due + slack);
	return true;
}

static bool try(const struct histogram *histogram)
{
	__u64 samples[MAX_LENGTH], sum = 0;

	forget_samples(&profile);
	for (size_t i = 0; i < histogram->nr; i++) {
		samples[i] = rand() % 3 ? rand() % 70000 : 0;
		sum += samples[i];
		if (samples[i])
			profil_import_bin(&import, histogram, i, samples[i]);
	}
	CHECK(all_samples(&profile) == (unsigned __int128)sum * SAMPLE_PARTS);
	for (size_t i = 0; i < ARRAY_LENGTH(layout); i++)
		CHECK(is_due(histogram, samples, layout[i].low, layout[i].high,
			     parts_of(layout[i].name)));
	return true;
}

/* Rounding moves less than one sample of a function, and none of the sum. */
static bool is_rounded(void)
{
	__u64 parts[ARRAY_LENGTH(layout)],
		samples = all_samples(&profile) / SAMPLE_PARTS;

	for (size_t i = 0; i < ARRAY_LENGTH(layout); i++)
		parts[i] = parts_of(layout[i].name);
	profil_profile_round(&profile);
	CHECK(all_samples(&profile) == samples);
	CHECK(profile.unit == 1);
	for (size_t i = 0; i < ARRAY_LENGTH(layout); i++) {
		__u64 whole = parts_of(layout[i].name) * SAMPLE_PARTS;

		CHECK(whole < parts[i] + SAMPLE_PARTS);
		CHECK(whole + SAMPLE_PARTS > parts[i]);
	}
	return true;
}

static bool try_bins(bool lines)
{
	struct histogram range = { 0 };

	for (int i = 0; i < TRIALS; i++) {
		unsigned int length = 1 + rand() % MAX_LENGTH;

		if (lines || !i)
			CHECK(begin());
		import.lines = lines;
		range.low = TEXT - 0x20 + rand() % 0x60;
		range.high = range.low + length;
		range.nr = 1 + rand() % length;
		CHECK(try(&range));
		if (lines) {
			CHECK(is_rounded());
			end();
		}
	}
	if (!lines) {
		CHECK_EQUAL(ARRAY_LENGTH(layout), profile.nr_functions);
		end();
	}
	return true;
}

/* Histograms of random ranges around the functions, with random bins */
TEST("samples are divided in proportion to the overlap")
{
	srand(4242);
	return try_bins(false);
}

TEST("divided samples become whole ones")
{
	srand(4343);
	return try_bins(true);
}

/* The whole address space, and the largest number of samples */
TEST("the largest number of samples is divided")
{
	__u64 most = UINT64_MAX / SAMPLE_PARTS;
	struct histogram whole = { .high = UINT64_MAX, .nr = 1 };
	struct histogram last = {
		.low = UINT64_MAX - 3,
		.high = UINT64_MAX,
		.nr = 2,
	};

	CHECK(begin());
	profil_import_bin(&import, &whole, 0, most);
	CHECK(all_samples(&profile) == (unsigned __int128)most * SAMPLE_PARTS);
	CHECK(is_due(&whole, &most, layout[2].low, layout[2].high,
		     parts_of(layout[2].name)));
	forget_samples(&profile);
	profil_import_bin(&import, &last, 1, most);
	CHECK(profile.head.outside == most * SAMPLE_PARTS);
	profil_profile_round(&profile);
	CHECK(profile.head.outside == most);
	end();
	return true;
}

/* A function calls mcount() in its first instructions, if it is of this program. */
TEST("calls of another program are counted")
{
	struct gprof_arc own = { .self = TEXT + 4, .count = 1 };
	struct gprof_arc other = { .self = TEXT - 1, .count = 1 };

	CHECK(begin());
	profil_import_arc(&import, &own);
	CHECK_EQUAL(0, import.strays);
	profil_import_arc(&import, &other);
	CHECK_EQUAL(1, import.strays);
	end();
	return true;
}

static bool adds(const void *bytes, size_t size, struct gprof_data *data)
{
	struct input input;
	bool is_added;

	profil_input_begin(&input, fmemopen((void *)bytes, size, "r"));
	is_added = profil_gprof_check(&input, data) &&
		   profil_gprof_read(&input, data, &import);
	fclose(input.file);
	return is_added;
}

/* The largest number of samples that can be divided, and one more */
TEST("too many samples are refused")
{
	/* A mon.out with a bin of one sample */
	static const uint64_t words[] = { TEXT, TEXT + 8, 0, 1 };
	struct gprof_data data = { .kind = "mon.out", .word = 8 };

	CHECK(begin());
	data.samples = UINT64_MAX / SAMPLE_PARTS - 1;
	CHECK(adds(words, 26, &data));
	CHECK(!adds(words, 26, &data));
	free(data.histograms);
	end();
	return true;
}
