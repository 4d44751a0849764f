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

#include "read/formats.h"
#include "read/import.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))
#define TEXT 0x401000ULL
#define TRIALS 3000

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
	import = (struct import){ .profile = &profile, .path = path };
	profil_import_begin(&import, 8);
	return true;
}

static void end(void)
{
	profil_import_end(&import);
	profil_profile_free(&profile);
}

/* Forget samples and calls. Functions keep their places. */
static void reset(void)
{
	for (uint32_t i = 0; i < profile.nr_places; i++)
		profile.places[i].user = 0;
	profile.nr_calls = 0;
	profile.head.outside = 0;
}

static __u64 parts_of(const char *name)
{
	__u64 parts = 0;

	for (uint32_t i = 0; i < profile.nr_places; i++) {
		const struct profile_place *place = &profile.places[i];

		if (!strcmp(profile.functions[place->function].name, name))
			parts += place->user;
	}
	return parts;
}

static unsigned __int128 all_parts(void)
{
	unsigned __int128 sum = profile.head.outside;

	for (uint32_t i = 0; i < profile.nr_places; i++)
		sum += profile.places[i].user;
	return sum;
}

/* Name of the only function with samples if one falls on @address; or "" */
static const char *function_at(__u64 address)
{
	struct histogram histogram, range = { address, address + 1, 1, NULL };
	struct gprof_data data = { .samples = 1,
				   .histograms = &histogram,
				   .nr_histograms = 1 };

	reset();
	profil_bins_make(&histogram, &range);
	profil_bins_add(&histogram, 0, 1);
	profil_import_add(&import, &data);
	profil_bins_free(&histogram);
	for (uint32_t i = 0; i < profile.nr_places; i++)
		if (profile.places[i].user == SAMPLE_PARTS)
			return profile.functions[profile.places[i].function]
				.name;
	return profile.head.outside == SAMPLE_PARTS ? "" : "none";
}

TEST("each address belongs to its function")
{
	CHECK(begin());
	for (size_t i = 0; i < ELEMENTS(layout); i++)
		for (__u64 at = layout[i].low; at < layout[i].high; at++)
			CHECK(!strcmp(function_at(at), layout[i].name));
	CHECK(!*function_at(0));
	CHECK(!*function_at(TEXT - 1));
	CHECK(!*function_at(TEXT + 0x50));
	CHECK(!*function_at(UINT64_MAX - 1));
	CHECK(profile.nr_functions == ELEMENTS(layout));
	end();
	return true;
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
static bool is_due(const struct histogram *histogram, __u64 low, __u64 high,
		   __u64 parts)
{
	unsigned __int128 length = histogram->high - histogram->low;
	unsigned __int128 due = 0, slack = length * histogram->nr;
	unsigned __int128 seen = parts * length;

	for (size_t i = 0; i < histogram->nr; i++)
		due += overlap(histogram, i, low, high) *
		       profil_bins_get(histogram, i) * SAMPLE_PARTS;
	CHECK(seen + slack >= due && seen <= due + slack);
	return true;
}

static bool try(struct histogram *histogram)
{
	struct gprof_data data = { .histograms = histogram,
				   .nr_histograms = 1 };

	for (size_t i = 0; i < histogram->nr; i++) {
		__u64 samples = rand() % 3 ? rand() % 70000 : 0;

		profil_bins_add(histogram, i, samples);
		data.samples += samples;
	}
	reset();
	profil_import_add(&import, &data);
	CHECK(all_parts() == (unsigned __int128)data.samples * SAMPLE_PARTS);
	for (size_t i = 0; i < ELEMENTS(layout); i++)
		CHECK(is_due(histogram, layout[i].low, layout[i].high,
			     parts_of(layout[i].name)));
	return true;
}

/* Rounding moves less than one sample of a function, and none of the sum. */
static bool is_rounded(void)
{
	__u64 parts[ELEMENTS(layout)], samples = all_parts() / SAMPLE_PARTS;

	for (size_t i = 0; i < ELEMENTS(layout); i++)
		parts[i] = parts_of(layout[i].name);
	profil_profile_round(&profile);
	CHECK(all_parts() == samples);
	CHECK(profile.unit == 1);
	for (size_t i = 0; i < ELEMENTS(layout); i++) {
		__u64 whole = parts_of(layout[i].name) * SAMPLE_PARTS;

		CHECK(whole < parts[i] + SAMPLE_PARTS);
		CHECK(whole + SAMPLE_PARTS > parts[i]);
	}
	return true;
}

static bool try_bins(bool lines)
{
	struct histogram histogram, range = { 0 };

	for (int i = 0; i < TRIALS; i++) {
		unsigned int length = 1 + rand() % 0x90;

		if (lines || !i)
			CHECK(begin());
		import.lines = lines;
		range.low = TEXT - 0x20 + rand() % 0x60;
		range.high = range.low + length;
		range.nr = 1 + rand() % length;
		profil_bins_make(&histogram, &range);
		CHECK(try(&histogram));
		profil_bins_free(&histogram);
		if (lines) {
			CHECK(is_rounded());
			end();
		}
	}
	if (!lines)
		end();
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
	struct histogram histogram;
	struct gprof_data data = { .samples = most,
				   .histograms = &histogram,
				   .nr_histograms = 1 };

	CHECK(begin());
	profil_bins_make(&histogram, &whole);
	profil_bins_add(&histogram, 0, most);
	profil_import_add(&import, &data);
	CHECK(all_parts() == (unsigned __int128)most * SAMPLE_PARTS);
	CHECK(is_due(&histogram, layout[2].low, layout[2].high,
		     parts_of(layout[2].name)));
	profil_bins_free(&histogram);
	profil_bins_make(&histogram, &last);
	profil_bins_add(&histogram, 1, most);
	reset();
	profil_import_add(&import, &data);
	CHECK(profile.head.outside == most * SAMPLE_PARTS);
	profil_profile_round(&profile);
	CHECK(profile.head.outside == most);
	profil_bins_free(&histogram);
	end();
	return true;
}

/* The largest number of samples that can be divided, and one more */
TEST("too many samples are refused")
{
	/* A mon.out with a bin of one sample */
	static const uint64_t words[] = { TEXT, TEXT + 8, 0, 1 };
	struct gprof_data data = { .kind = "mon.out", .word = 8 };
	struct input input;

	data.samples = UINT64_MAX / SAMPLE_PARTS - 1;
	profil_input_memory(&input, words, 26);
	CHECK_EQUAL(READ_OK, profil_formats_read(&input, &data));
	profil_input_memory(&input, words, 26);
	CHECK_EQUAL(READ_MANY_SAMPLES, profil_formats_read(&input, &data));
	profil_gprof_data_free(&data);
	return true;
}
