// SPDX-License-Identifier: GPL-2.0-only
/* An annotated function while it is printed: its columns and its instructions */
#include "annotate/listing.h"
#include "util/output.h"
#include "util/text.h"

/* Rows with fewer samples are grey: their shares are vague. */
#define FEW 5

/* Percent from which rows are red */
#define HOT 10

void profil_listing_begin_row(const struct annotated_page *page,
			      uint64_t samples)
{
	if (!page->has_colours)
		return;
	if (samples < FEW)
		fputs(GREY, page->out);
	else if (profil_annotated_percent(page->annotated, samples) >= HOT)
		fputs(RED, page->out);
}

void profil_listing_end_row(const struct annotated_page *page)
{
	fprintf(page->out, "%s\n", page->has_colours ? PLAIN : "");
}

void profil_listing_print_share(const struct annotated_page *page,
				uint64_t samples)
{
	const struct annotated_function *annotated = page->annotated;

	if (samples)
		fprintf(page->out, "%5.1f %5.1f",
			profil_annotated_percent(annotated, samples),
			share_error(samples, profil_annotated_all(annotated)));
	else
		fprintf(page->out, "%*s", PAGE_SHARES, "");
}

void profil_listing_print_head(const struct annotated_page *page)
{
	fprintf(page->out, "    %% %s", profil_text_sign("    ±", "   +-"));
}

/* Width of the column of instructions; longer ones move the next. */
#define TEXT 40

/* Characters of the name of an inlined function */
#define INLINED_NAME 60

/*
 * Rows of a function whose code contains @hits, which ascend. @is_whole: show
 * instructions without samples, too
 */
struct listing {
	struct annotated_page *page;
	const struct group *hits;
	size_t nr_hits;
	uint32_t function;
	bool is_whole;
};

/* Print where the source of the instruction at @place is. */
static void print_source(const struct annotated_page *page,
			 const struct profile_place *place)
{
	const struct profile *profile = page->annotated->profile;
	const struct profile_frame *frame = profile_frames_of(profile, place);

	if (!frame || !*frame->file)
		return;
	profil_text_print(page->out, profil_text_base(frame->file));
	fprintf(page->out, ":%u", frame->line);
	if (place->nr_frames > 1) {
		char *name = profil_annotated_name(profile, frame->function,
						   INLINED_NAME);

		fprintf(page->out, "  %s", name);
		free(name);
	}
}

/* @place is the hottest of the row, or NULL if the row has no samples. */
static void print_row(const struct annotated_page *page, uint64_t address,
		      const char *text, uint64_t samples,
		      const struct profile_place *place)
{
	profil_listing_begin_row(page, samples);
	profil_listing_print_share(page, samples);
	if (samples)
		fprintf(page->out, " %8" PRIu64, samples);
	else
		fprintf(page->out, " %8s", "");
	fprintf(page->out, "  %8" PRIx64 "  ", address);
	if (place && place->nr_frames) {
		fprintf(page->out, "%-*s  ", TEXT, text);
		print_source(page, place);
	} else {
		fputs(text, page->out);
	}
	profil_listing_end_row(page);
}

static const struct profile_place *place_of(const struct listing *listing,
					    const struct group *hit)
{
	return profile_place_of(listing->page->annotated->profile,
				hit->hottest);
}

/*
 * Place of the hottest of the hits of the instruction @at, which are those from *@next on,
 * and are behind it then; NULL if there are none
 */
static const struct profile_place *
take(const struct listing *listing, size_t at, size_t *next, uint64_t *samples)
{
	const struct instruction *instruction = &listing->page->code.array[at];
	uint64_t end = instruction->address + instruction->size;
	const struct group *hottest = NULL;

	*samples = 0;
	while (*next < listing->nr_hits &&
	       place_of(listing, &listing->hits[*next])->address < end) {
		const struct group *hit = &listing->hits[(*next)++];

		*samples += hit->samples;
		if (!hottest || hit->samples > hottest->samples)
			hottest = hit;
	}
	return hottest ? place_of(listing, hottest) : NULL;
}

/* Instructions that are shown, as an array of flags */
static bool *mark(const struct listing *listing)
{
	size_t nr = listing->page->code.nr, next = 0;
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
	const struct annotated_page *page = listing->page;
	const struct instructions *code = &page->code;
	bool *shown = mark(listing);
	size_t next = 0;

	for (size_t i = 0; i < code->nr; i++) {
		const struct instruction *instruction = &code->array[i];
		uint64_t samples;
		const struct profile_place *place =
			take(listing, i, &next, &samples);

		if (shown[i])
			print_row(page, instruction->address, instruction->text,
				  samples, place);
		else if (i && shown[i - 1] && listing->is_whole)
			fprintf(page->out, "%*s  ...\n", PAGE_SHARES, "");
	}
	free(shown);
}

/* Without a disassembler each address has its bytes, if they are known. */
static void print_addresses(const struct listing *listing)
{
	for (size_t i = 0; i < listing->nr_hits; i++) {
		const struct group *hit = &listing->hits[i];
		const struct profile_place *place = place_of(listing, hit);

		print_row(listing->page, place->address,
			  profil_instructions_text(&listing->page->code,
						   listing->function,
						   place->address),
			  hit->samples, place);
	}
}

static void print_listing(const struct listing *listing)
{
	struct annotated_page *page = listing->page;

	if (!listing->is_whole) {
		const struct profile *profile = page->annotated->profile;
		uint32_t function = listing->function;

		fputs("inlined in ", page->out);
		profil_text_print(page->out, profile->functions[function].name);
		fputc('\n', page->out);
	}
	profil_instructions_read(&page->code, listing->function);
	if (page->code.nr)
		print_instructions(listing);
	else
		print_addresses(listing);
}

void profil_listing_print(struct annotated_page *page)
{
	const struct groups *hits = &page->annotated->hits;
	size_t last;

	profil_listing_print_head(page);
	fprintf(page->out, " %8s  %8s  instruction\n", "samples", "address");
	for (size_t first = 0; first < hits->nr; first = last) {
		struct listing listing = {
			.page = page,
			.hits = &hits->array[first],
		};

		listing.function = place_of(&listing, listing.hits)->function;
		last = first;
		while (last < hits->nr &&
		       place_of(&listing, &hits->array[last])->function ==
			       listing.function)
			last++;
		listing.nr_hits = last - first;
		listing.is_whole = listing.function ==
				   page->annotated->function;
		print_listing(&listing);
	}
}
