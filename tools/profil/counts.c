// SPDX-License-Identifier: GPL-2.0-only
/* Counts, and their sums */
#include <stdlib.h>
#include <string.h>

#include "counts.h"
#include "memory.h"

#define MAX_SAMPLES (UINT64_MAX / COUNTS_PARTS)

const char *profil_counts_rate(struct counts *counts, unsigned int rate)
{
	if (counts->rate && counts->rate != rate)
		return "it has samples at another rate than those before";
	counts->rate = rate;
	return NULL;
}

/* Where the first histogram is that does not end at or before @low */
static size_t find(const struct counts *counts, uint64_t low)
{
	size_t first = 0;
	size_t last = counts->nr_histograms;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (counts->histograms[middle].high <= low)
			first = middle + 1;
		else
			last = middle;
	}
	return first;
}

static struct histogram *insert(struct counts *counts, size_t at)
{
	struct histogram *place;

	if (counts->nr_histograms == counts->histograms_room) {
		counts->histograms_room = counts->histograms_room ?
						  2 * counts->histograms_room :
						  4;
		counts->histograms = profil_grow(counts->histograms,
						 counts->histograms_room,
						 sizeof(*counts->histograms));
	}
	place = &counts->histograms[at];
	memmove(place + 1, place,
		(counts->nr_histograms - at) * sizeof(*place));
	counts->nr_histograms++;
	return place;
}

/* The histogram with the range and the size of @wanted, empty if it is new */
static const char *take_histogram(struct counts *counts,
				  const struct histogram *wanted,
				  struct histogram **histogram)
{
	size_t at = find(counts, wanted->low);
	struct histogram *there = counts->histograms;

	if (there)
		there += at;
	if (at == counts->nr_histograms || there->low >= wanted->high) {
		there = insert(counts, at);
		*there = *wanted;
		there->bins =
			profil_grow(NULL, wanted->nr, sizeof(*there->bins));
		memset(there->bins, 0, wanted->nr * sizeof(*there->bins));
	} else if (there->low != wanted->low || there->high != wanted->high) {
		return "it has a histogram that overlaps another, of another range";
	} else if (there->nr != wanted->nr) {
		return "it has two histograms of one range with different numbers of bins";
	}
	*histogram = there;
	return NULL;
}

static const char *add_samples(struct counts *counts, uint64_t *bin,
			       uint64_t samples)
{
	if (samples > MAX_SAMPLES - counts->samples)
		return "it has more samples than can be added up";
	counts->samples += samples;
	*bin += samples;
	return NULL;
}

const char *profil_counts_histogram(struct counts *counts, uint64_t low,
				    uint64_t high, size_t nr, const void *bins)
{
	struct histogram wanted = { .low = low, .high = high, .nr = nr };
	struct histogram *histogram;
	const char *wrong = take_histogram(counts, &wanted, &histogram);

	for (size_t i = 0; !wrong && i < nr; i++) {
		uint16_t bin;

		memcpy(&bin, (const char *)bins + i * sizeof(bin), sizeof(bin));
		wrong = add_samples(counts, &histogram->bins[i], bin);
	}
	return wrong;
}

const char *profil_counts_arc(struct counts *counts, struct arc arc)
{
	if (__builtin_add_overflow(counts->calls, arc.count, &counts->calls))
		return "it has more calls than can be added up";
	if (counts->nr_arcs == counts->arcs_room) {
		counts->arcs_room = counts->arcs_room ? 2 * counts->arcs_room :
							64;
		counts->arcs = profil_grow(counts->arcs, counts->arcs_room,
					   sizeof(*counts->arcs));
	}
	counts->arcs[counts->nr_arcs++] = arc;
	return NULL;
}

static const char *add_histogram(struct counts *counts,
				 const struct histogram *more)
{
	struct histogram *histogram;
	const char *wrong = take_histogram(counts, more, &histogram);

	for (size_t i = 0; !wrong && i < more->nr; i++)
		wrong = add_samples(counts, &histogram->bins[i], more->bins[i]);
	return wrong;
}

static const char *check_kind(struct counts *counts, const struct counts *more)
{
	if (!counts->kind) {
		counts->kind = more->kind;
		counts->word = more->word;
	}
	if (strcmp(counts->kind, more->kind))
		return "it is of another kind than those before: sum up gmon.out or mon.out";
	if (counts->word != more->word)
		return "its addresses are of another size than those before";
	return NULL;
}

const char *profil_counts_add(struct counts *counts, const struct counts *more)
{
	const char *wrong = check_kind(counts, more);

	if (!wrong && more->rate)
		wrong = profil_counts_rate(counts, more->rate);
	for (size_t i = 0; !wrong && i < more->nr_histograms; i++)
		wrong = add_histogram(counts, &more->histograms[i]);
	for (size_t i = 0; !wrong && i < more->nr_arcs; i++)
		wrong = profil_counts_arc(counts, more->arcs[i]);
	return wrong;
}

void profil_counts_free(struct counts *counts)
{
	for (size_t i = 0; i < counts->nr_histograms; i++)
		free(counts->histograms[i].bins);
	free(counts->histograms);
	free(counts->arcs);
	*counts = (struct counts){ 0 };
}
