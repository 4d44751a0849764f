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

#include "elf/attribute.h"
#include "read_content.h"
#include "tap.h"
#include "valid_files.h"

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

/* Open layout, in the directory of this program. */
static bool open_layout(struct attribution *attribution)
{
	static char path[2 * PATH_MAX];
	char self[PATH_MAX] = "";

	CHECK(readlink("/proc/self/exe", self, sizeof(self) - 1) > 0);
	snprintf(path, sizeof(path), "%s/layout", dirname(self));
	profil_attribute_open(attribution, path, 8);
	return true;
}

static void reset(struct attribution *attribution)
{
	for (size_t i = 0; i < attribution->boundaries->nr; i++) {
		attribution->array[i].parts = 0;
		attribution->array[i].calls = 0;
	}
	attribution->outside.parts = 0;
	attribution->outside.calls = 0;
}

static unsigned __int128 all_parts(const struct attribution *attribution)
{
	unsigned __int128 sum = attribution->outside.parts;

	for (size_t i = 0; i < attribution->boundaries->nr; i++)
		sum += attribution->array[i].parts;
	return sum;
}

static __u64 all_calls(const struct attribution *attribution)
{
	__u64 sum = attribution->outside.calls;

	for (size_t i = 0; i < attribution->boundaries->nr; i++)
		sum += attribution->array[i].calls;
	return sum;
}

static bool knows_each_address(void)
{
	struct attribution attribution;

	CHECK(open_layout(&attribution));
	for (size_t i = 0; i < ELEMENTS(layout); i++)
		for (__u64 at = layout[i].low; at < layout[i].high; at++) {
			struct function *function =
				profil_attribute_at(&attribution, at);

			CHECK(!strcmp(function->name, layout[i].name));
		}
	CHECK(profil_attribute_at(&attribution, 0) == &attribution.outside);
	CHECK(profil_attribute_at(&attribution, TEXT - 1) ==
	      &attribution.outside);
	CHECK(profil_attribute_at(&attribution, TEXT + 0x50) ==
	      &attribution.outside);
	CHECK(profil_attribute_at(&attribution, UINT64_MAX) ==
	      &attribution.outside);
	profil_attribute_close(&attribution);
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

static bool try(struct attribution *attribution, struct histogram *histogram)
{
	struct gprof_data data = { .histograms = histogram,
				   .nr_histograms = 1 };

	for (size_t i = 0; i < histogram->nr; i++) {
		__u64 samples = rand() % 3 ? rand() % 70000 : 0;

		profil_bins_add(histogram, i, samples);
		data.samples += samples;
	}
	reset(attribution);
	profil_attribute_count(attribution, &data);
	CHECK(all_parts(attribution) ==
	      (unsigned __int128)data.samples * SAMPLE_PARTS);
	for (size_t i = 0; i < ELEMENTS(layout); i++) {
		__u64 low = layout[i].low;
		struct function *function =
			profil_attribute_at(attribution, low);

		CHECK(is_due(histogram, low, layout[i].high, function->parts));
	}
	return true;
}

/* Histograms of random ranges around the functions, with random bins */
static bool divides_as_bins_lie(void)
{
	struct histogram histogram, range = { 0 };
	struct attribution attribution;

	CHECK(open_layout(&attribution));
	srand(4242);
	for (int i = 0; i < TRIALS; i++) {
		unsigned int length = 1 + rand() % 0x90;

		range.low = TEXT - 0x20 + rand() % 0x60;
		range.high = range.low + length;
		range.nr = 1 + rand() % length;
		profil_bins_make(&histogram, &range);
		CHECK(try(&attribution, &histogram));
		profil_bins_free(&histogram);
	}
	profil_attribute_close(&attribution);
	return true;
}

/* The whole address space, and the largest number of samples */
static bool divides_the_most(void)
{
	__u64 most = UINT64_MAX / SAMPLE_PARTS;
	struct histogram whole = { .high = UINT64_MAX, .nr = 1 };
	struct histogram end = {
		.low = UINT64_MAX - 3,
		.high = UINT64_MAX,
		.nr = 2,
	};
	struct histogram histogram;
	struct gprof_data data = { .samples = most,
				   .histograms = &histogram,
				   .nr_histograms = 1 };
	struct attribution attribution;

	CHECK(open_layout(&attribution));
	profil_bins_make(&histogram, &whole);
	profil_bins_add(&histogram, 0, most);
	profil_attribute_count(&attribution, &data);
	CHECK(all_parts(&attribution) ==
	      (unsigned __int128)most * SAMPLE_PARTS);
	CHECK(is_due(&histogram, layout[2].low, layout[2].high,
		     profil_attribute_at(&attribution, layout[2].low)->parts));
	profil_bins_free(&histogram);
	profil_bins_make(&histogram, &end);
	profil_bins_add(&histogram, 1, most);
	reset(&attribution);
	profil_attribute_count(&attribution, &data);
	CHECK(attribution.outside.parts == most * SAMPLE_PARTS);
	profil_bins_free(&histogram);
	profil_attribute_close(&attribution);
	return true;
}

/* Each file that is accepted keeps its totals when it is divided. */
static bool divides_any_file(struct attribution *attribution,
			     const char *const *parts)
{
	struct content content = { .size = 0 };
	char text[READ_ERROR_TEXT];
	struct gprof_data data;

	CHECK(append_parts(&content, parts));
	for (size_t i = 0; i < content.size * 256; i++) {
		unsigned char *byte = &content.bytes[i / 256];
		unsigned char true_byte = *byte;

		*byte = i;
		if (read_content(&content, content.size, text, &data)) {
			reset(attribution);
			profil_attribute_count(attribution, &data);
			CHECK(all_parts(attribution) ==
			      (unsigned __int128)data.samples * SAMPLE_PARTS);
			CHECK(all_calls(attribution) == data.calls);
		}
		profil_gprof_data_free(&data);
		*byte = true_byte;
	}
	return true;
}

static bool divides_broken_files(void)
{
	struct attribution attribution;

	CHECK(open_layout(&attribution));
	for (size_t i = 0; i < NR_VALID_FILES; i++)
		CHECK(divides_any_file(&attribution, valid_files[i].parts));
	profil_attribute_close(&attribution);
	return true;
}

static const struct tap_test tests[] = {
	{ "each address belongs to its function", knows_each_address },
	{ "samples are divided in proportion to the overlap",
	  divides_as_bins_lie },
	{ "the largest number of samples is divided", divides_the_most },
	{ "damaged files keep their totals", divides_broken_files },
};

int main(void)
{
	return tap_run(tests, ELEMENTS(tests));
}
