// SPDX-License-Identifier: GPL-2.0-only
/* Columns and instructions of an annotated function */
#include <inttypes.h>
#include <stdlib.h>

#include "annotate/page.h"
#include "util/memory.h"
#include "util/text.h"

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW 5

/* Percent from which rows are red */
#define HOT 10

#define GREY "\033[2m"
#define RED "\033[31m"
#define PLAIN "\033[0m"

void profil_page_begin_row(const struct page *page, uint64_t samples)
{
	if (!page->has_colours)
		return;
	if (samples < FEW)
		fputs(GREY, page->out);
	else if (profil_subject_percent(page->subject, samples) >= HOT)
		fputs(RED, page->out);
}

void profil_page_end_row(const struct page *page)
{
	fprintf(page->out, "%s\n", page->has_colours ? PLAIN : "");
}

void profil_page_print_share(const struct page *page, uint64_t samples)
{
	if (!samples)
		fprintf(page->out, "%*s", PAGE_SHARES, "");
	else if (samples < FEW)
		fprintf(page->out, "%5.1f %5s",
			profil_subject_percent(page->subject, samples), "");
	else
		fprintf(page->out, "%5.1f %5.1f",
			profil_subject_percent(page->subject, samples),
			profil_subject_error(page->subject, samples));
}

void profil_page_print_head(const struct page *page)
{
	fprintf(page->out, "    %% %s%s",
		profil_text_is_utf8() ? "    " : "   ",
		profil_text_sign("±", "+-"));
}

void profil_page_print_text(const struct page *page, const char *text)
{
	char *printable = profil_text_printable(text);

	fputs(printable, page->out);
	free(printable);
}

/* Width of the column of instructions; longer ones move the next. */
#define TEXT 40

/* Characters of the name of an inlined function */
#define NAME 60

/**
 * struct listing - rows of a function whose code contains hits
 * @page: the page
 * @hits: hits in the code, ascending
 * @nr_hits: elements of @hits
 * @function: index of the function
 * @is_whole: show instructions without samples, too
 */
struct listing {
	struct page *page;
	const struct hit *hits;
	size_t nr_hits;
	uint32_t function;
	bool is_whole;
};

/* Print where the source of the hit's instruction is. */
static void print_source(const struct page *page, const struct hit *hit)
{
	const struct profile *profile = page->subject->profile;
	const struct profile_frame *frame =
		profil_subject_inner(page->subject, hit);

	if (!frame || !*frame->file)
		return;
	profil_page_print_text(page, profil_text_base(frame->file));
	fprintf(page->out, ":%u", frame->line);
	if (hit->place->nr_frames > 1) {
		char *name = profil_short_name(profile, frame->function, NAME);

		fprintf(page->out, "  %s", name);
		free(name);
	}
}

/* @hit is the hottest of the row, or NULL if the row has no samples. */
static void print_row(const struct page *page, uint64_t address,
		      const char *text, uint64_t samples, const struct hit *hit)
{
	profil_page_begin_row(page, samples);
	profil_page_print_share(page, samples);
	if (samples)
		fprintf(page->out, " %8" PRIu64, samples);
	else
		fprintf(page->out, " %8s", "");
	fprintf(page->out, "  %8" PRIx64 "  ", address);
	if (hit && hit->place->nr_frames) {
		fprintf(page->out, "%-*s  ", TEXT, text);
		print_source(page, hit);
	} else {
		fputs(text, page->out);
	}
	profil_page_end_row(page);
}

/* Hits of the instruction @at, from hit *@next on, which is moved behind them */
static const struct hit *take(const struct listing *listing, size_t at,
			      size_t *next, uint64_t *samples)
{
	const struct instruction *instruction =
		&listing->page->code.instructions.array[at];
	uint64_t end = instruction->address + instruction->size;
	const struct hit *hottest = NULL;

	*samples = 0;
	while (*next < listing->nr_hits &&
	       listing->hits[*next].place->address < end) {
		const struct hit *hit = &listing->hits[(*next)++];

		*samples += hit->samples;
		if (!hottest || hit->samples > hottest->samples)
			hottest = hit;
	}
	return hottest;
}

/* Instructions that are shown, as an array of flags */
static bool *mark(const struct listing *listing)
{
	size_t nr = listing->page->code.instructions.nr, next = 0;
	size_t context = listing->is_whole ? PAGE_CONTEXT : 0;
	bool *shown = profil_grow(NULL, nr, sizeof(*shown));

	for (size_t i = 0; i < nr; i++)
		shown[i] = listing->is_whole && listing->page->all;
	for (size_t i = 0; i < nr; i++) {
		uint64_t samples;

		if (!take(listing, i, &next, &samples))
			continue;
		for (size_t j = i > context ? i - context : 0;
		     j < nr && j <= i + context; j++)
			shown[j] = true;
	}
	return shown;
}

static void print_instructions(const struct listing *listing)
{
	const struct page *page = listing->page;
	const struct instructions *instructions = &page->code.instructions;
	bool *shown = mark(listing);
	size_t next = 0;

	for (size_t i = 0; i < instructions->nr; i++) {
		const struct instruction *instruction = &instructions->array[i];
		uint64_t samples;
		const struct hit *hit = take(listing, i, &next, &samples);

		if (shown[i])
			print_row(page, instruction->address, instruction->text,
				  samples, hit);
		else if (i && shown[i - 1] && listing->is_whole)
			fprintf(page->out, "%*s  ...\n", PAGE_SHARES, "");
	}
	free(shown);
}

/* Without a disassembler each address has its bytes, if they are known. */
static void print_addresses(const struct listing *listing)
{
	for (size_t i = 0; i < listing->nr_hits; i++) {
		const struct hit *hit = &listing->hits[i];
		uint64_t address = hit->place->address;

		print_row(listing->page, address,
			  profil_code_text(&listing->page->code,
					   listing->function, address),
			  hit->samples, hit);
	}
}

static void print_listing(const struct listing *listing)
{
	struct page *page = listing->page;

	if (!listing->is_whole) {
		fputs("inlined in ", page->out);
		profil_page_print_text(page,
				       page->subject->profile
					       ->functions[listing->function]
					       .name);
		fputc('\n', page->out);
	}
	profil_code_read(&page->code, listing->function);
	if (page->code.instructions.nr)
		print_instructions(listing);
	else
		print_addresses(listing);
}

static void print_head(const struct page *page)
{
	profil_page_print_head(page);
	fprintf(page->out, " %8s  %8s  instruction\n", "samples", "address");
}

void profil_code_page_print(struct page *page)
{
	const struct subject *subject = page->subject;
	size_t last;

	print_head(page);
	for (size_t first = 0; first < subject->nr_hits; first = last) {
		struct listing listing = {
			.page = page,
			.hits = &subject->hits[first],
			.function = subject->hits[first].place->function,
		};

		last = first;
		while (last < subject->nr_hits &&
		       subject->hits[last].place->function == listing.function)
			last++;
		listing.nr_hits = last - first;
		listing.is_whole = listing.function == subject->function;
		print_listing(&listing);
	}
}
