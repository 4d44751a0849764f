// SPDX-License-Identifier: GPL-2.0-only
/* Counts, and their sums */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "read/gprof_data.h"
#include "util/memory.h"

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

/*
 * Where the histogram of the range and the number of bins of @wanted is, or
 * where it would be: then @is_new.
 */
static const char *place(const struct counts *counts,
			 const struct histogram *wanted, size_t *at,
			 bool *is_new)
{
	const struct histogram *there;

	*at = find(counts, wanted->low);
	*is_new = *at == counts->nr_histograms ||
		  counts->histograms[*at].low >= wanted->high;
	if (*is_new)
		return NULL;
	there = &counts->histograms[*at];
	if (there->low != wanted->low || there->high != wanted->high)
		return "it has a histogram that overlaps another, of another range";
	if (there->nr != wanted->nr)
		return "it has two histograms of one range with different numbers of bins";
	return NULL;
}

const char *profil_counts_histogram(struct counts *counts,
				    const struct histogram *wanted,
				    struct histogram **histogram)
{
	bool is_new;
	size_t at;
	const char *wrong = place(counts, wanted, &at, &is_new);

	if (wrong)
		return wrong;
	if (is_new)
		profil_histogram_make(insert(counts, at), wanted);
	*histogram = &counts->histograms[at];
	return NULL;
}

static const char *add_samples(struct counts *counts,
			       struct histogram *histogram, size_t bin,
			       uint64_t samples)
{
	if (samples > MAX_SAMPLES - counts->samples)
		return "it has more samples than can be added up";
	counts->samples += samples;
	profil_histogram_add(histogram, bin, samples);
	return NULL;
}

const char *profil_counts_bins(struct counts *counts,
			       struct histogram *histogram, size_t first,
			       size_t nr, const void *counters)
{
	const char *wrong = NULL;

	for (size_t i = 0; !wrong && i < nr; i++) {
		uint16_t counter;

		memcpy(&counter, (const char *)counters + i * sizeof(counter),
		       sizeof(counter));
		if (counter)
			wrong = add_samples(counts, histogram, first + i,
					    counter);
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

/* A histogram that is new passes as it is. */
static const char *add_histogram(struct counts *counts, struct histogram *more)
{
	bool is_new;
	size_t at, bin;
	const char *wrong = place(counts, more, &at, &is_new);

	if (wrong)
		return wrong;
	if (is_new) {
		*insert(counts, at) = *more;
		more->chunks = NULL;
		return NULL;
	}
	for (bin = profil_histogram_next(more, 0); bin < more->nr;
	     bin = profil_histogram_next(more, bin + 1))
		profil_histogram_add(&counts->histograms[at], bin,
				     profil_histogram_bin(more, bin));
	return NULL;
}

static const char *add_histograms(struct counts *counts, struct counts *more)
{
	const char *wrong = NULL;

	if (more->samples > MAX_SAMPLES - counts->samples)
		return "it has more samples than can be added up";
	counts->samples += more->samples;
	for (size_t i = 0; !wrong && i < more->nr_histograms; i++)
		wrong = add_histogram(counts, &more->histograms[i]);
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

const char *profil_counts_add(struct counts *counts, struct counts *more)
{
	const char *wrong = check_kind(counts, more);

	if (!wrong && more->rate)
		wrong = profil_counts_rate(counts, more->rate);
	if (!wrong)
		wrong = add_histograms(counts, more);
	for (size_t i = 0; !wrong && i < more->nr_arcs; i++)
		wrong = profil_counts_arc(counts, more->arcs[i]);
	return wrong;
}

void profil_counts_free(struct counts *counts)
{
	for (size_t i = 0; i < counts->nr_histograms; i++)
		profil_histogram_free(&counts->histograms[i]);
	free(counts->histograms);
	free(counts->arcs);
	*counts = (struct counts){ 0 };
}
