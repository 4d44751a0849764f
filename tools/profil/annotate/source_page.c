// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of a function with their shares */
#include <stdlib.h>
#include <string.h>

#include "annotate/short_name.h"
#include "annotate/source_page.h"
#include "util/memory.h"
#include "util/output.h"
#include "util/text.h"

/* Rows of inlined code below a line */
#define MAX_INNER 5

/* Characters of the name of an inlined function */
#define FUNCTION 40

static int digits(uint32_t number)
{
	int nr = 1;

	for (; number >= 10; number /= 10)
		nr++;
	return nr;
}

static void print_line(const struct page *page,
		       const struct source_text *source, uint32_t number,
		       uint64_t samples, int width)
{
	char *text = profil_source_text_line(source, number);

	profil_page_begin_row(page, samples);
	profil_page_print_share(page, samples);
	fprintf(page->out, "  %*u%s%s", width, number,
		text && *text ? "  " : "", text ? text : "");
	profil_page_end_row(page);
	free(text);
}

/* Where the code of @inner comes from */
static char *label_of(const struct page *page, const struct inner_hits *inner)
{
	const struct profile *profile = page->subject->profile;
	const struct profile_frame *frame = inner->frame;
	char *file = profil_text_printable(profil_text_base(frame->file));
	char *name = profil_short_name(profile, frame->function, FUNCTION);
	char *label = profil_grow(NULL, strlen(file) + strlen(name) + 32, 1);

	if (inner->is_inlined)
		sprintf(label, "%s  inlined from %s:%u", name, file,
			frame->line);
	else
		sprintf(label, "%s:%u", file, frame->line);
	free(file);
	free(name);
	return label;
}

static const char *branch(bool is_last)
{
	if (is_last)
		return profil_output_sign("└", "`");
	return profil_output_sign("├", "|");
}

/* Begin a row below a line: a branch and the share */
static void print_branch(const struct page *page, uint64_t samples, int indent,
			 bool is_last)
{
	profil_page_begin_row(page, samples);
	fprintf(page->out, "%*s%s %5.1f  ", PAGE_SHARES + 2 + indent, "",
		branch(is_last),
		profil_subject_percent(page->subject, samples));
}

static void print_inner(struct page *page, const struct inner_hits *inner,
			const char *label, size_t width)
{
	const struct profile_place *place = inner->hottest->place;

	fprintf(page->out, "%s%*s  %s", label,
		(int)(width - profil_text_width(label)), "",
		profil_code_text(&page->code, place->function, place->address));
	profil_page_end_row(page);
}

static void print_rest(const struct page *page, const struct line_hits *line,
		       int indent)
{
	uint64_t samples = 0;

	for (size_t i = MAX_INNER - 1; i < line->nr_inner; i++)
		samples += line->inner[i].samples;
	print_branch(page, samples, indent, true);
	fprintf(page->out, "%zu more", line->nr_inner - (MAX_INNER - 1));
	profil_page_end_row(page);
}

/* Print the first @nr places of @line, with instructions in one column. */
static void print_first(struct page *page, const struct line_hits *line,
			size_t nr, int indent)
{
	char *labels[MAX_INNER];
	size_t width = 0;

	for (size_t i = 0; i < nr; i++) {
		size_t length;

		labels[i] = label_of(page, &line->inner[i]);
		length = profil_text_width(labels[i]);
		if (length > width)
			width = length;
	}
	for (size_t i = 0; i < nr; i++) {
		print_branch(page, line->inner[i].samples, indent,
			     i + 1 == line->nr_inner);
		print_inner(page, &line->inner[i], labels[i], width);
		free(labels[i]);
	}
}

static void print_all_inner(struct page *page, const struct line_hits *line,
			    int indent)
{
	if (!line->has_inlined)
		return;
	if (line->nr_inner <= MAX_INNER) {
		print_first(page, line, line->nr_inner, indent);
	} else {
		print_first(page, line, MAX_INNER - 1, indent);
		print_rest(page, line, indent);
	}
}

/* First line to show before line @at of @file; lines before it are printed. */
static uint32_t first_context(const struct file_hits *file, size_t at,
			      const struct profile_function *function)
{
	uint32_t number = file->lines[at].number;
	uint32_t first = number > PAGE_CONTEXT ? number - PAGE_CONTEXT : 1;

	/* The function begins with its declaration. */
	if (!strcmp(function->file, file->file) && number >= function->line &&
	    first < function->line)
		first = function->line;
	return first < number ? first : number;
}

static uint32_t last_context(const struct file_hits *file, size_t at,
			     const struct source_text *source)
{
	uint32_t last = file->lines[at].number + PAGE_CONTEXT;

	if (at + 1 < file->nr_lines && last >= file->lines[at + 1].number)
		last = file->lines[at + 1].number - 1;
	return last < source->nr ? last : source->nr;
}

static void print_context(const struct page *page,
			  const struct source_text *source, uint32_t from,
			  uint32_t to, int width)
{
	for (uint32_t number = from; number <= to; number++)
		print_line(page, source, number, 0, width);
}

static void print_head(const struct page *page,
		       const struct source_text *source)
{
	profil_page_print_head(page);
	fputs("  ", page->out);
	profil_page_print_text(page, source->path);
	fputc('\n', page->out);
}

void profil_source_page_print(struct page *page, const struct file_hits *file,
			      const struct source_text *source)
{
	const struct profile_function *function =
		&page->subject->profile->functions[page->subject->function];
	int width = digits(file->lines[file->nr_lines - 1].number);
	uint32_t printed = 0;

	print_head(page, source);
	for (size_t i = 0; i < file->nr_lines; i++) {
		const struct line_hits *line = &file->lines[i];
		uint32_t first = first_context(file, i, function);

		if (first <= printed)
			first = printed + 1;
		if (printed && first > printed + 1)
			fprintf(page->out, "%*s  ...\n", PAGE_SHARES, "");
		if (line->number)
			print_context(page, source, first, line->number - 1,
				      width);
		print_line(page, source, line->number, line->samples, width);
		print_all_inner(page, line, width);
		printed = last_context(file, i, source);
		print_context(page, source, line->number + 1, printed, width);
		if (printed < line->number)
			printed = line->number;
	}
}
