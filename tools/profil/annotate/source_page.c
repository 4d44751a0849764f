// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of a function with their shares */
#include <stdlib.h>
#include <string.h>

#include "annotate/source_page.h"
#include "util/output.h"
#include "util/text.h"

/* Rows of inlined code below a line */
#define MAX_INNER 5

/* Width of the column that names inlined code; longer names move the next. */
#define NAME 44

/* Characters of the name of an inlined function */
#define FUNCTION 28

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

/* Name without parameters: "at()" for "app::Matrix<double>::at(int, int)" */
static char *short_name(const char *name)
{
	char *copy = profil_text_printable(name);
	int depth = 0;

	for (char *c = copy; *c; c++) {
		depth += (*c == '<') - (*c == '>' && depth);
		if (*c == '(' && !depth && c > copy)
			*c = '\0';
		if (!*c)
			break;
	}
	return copy;
}

/* Print the place of the source of @inner, and return its width. */
static int print_name(const struct page *page, const struct inner_hits *inner)
{
	const struct profile *profile = page->subject->profile;
	const struct profile_frame *frame = inner->frame;
	char *file = profil_text_printable(profil_text_base(frame->file));
	char *name = short_name(profile->functions[frame->function].name);
	size_t length = profil_text_width(name);
	bool is_long = length > FUNCTION;
	int width = profil_text_width(file) + 1 + digits(frame->line);

	if (inner->is_inlined) {
		const char *end = name + profil_text_bytes(name, length);

		if (is_long)
			end = name + profil_text_bytes(name, FUNCTION - 1);
		fprintf(page->out, "%.*s%s inlined from ", (int)(end - name),
			name, is_long ? profil_output_sign("…", ".") : "");
		width += (is_long ? FUNCTION : length) +
			 strlen(" inlined from ");
	}
	fprintf(page->out, "%s:%u", file, frame->line);
	free(name);
	free(file);
	return width;
}

static const char *branch(bool is_last)
{
	if (is_last)
		return profil_output_sign("└", "`");
	return profil_output_sign("├", "|");
}

static void print_inner(struct page *page, const struct inner_hits *inner,
			int width, bool is_last)
{
	const struct profile_place *place = inner->hottest->place;
	int length;

	profil_page_begin_row(page, inner->samples);
	fprintf(page->out, "%*s%s %4.1f  ", PAGE_SHARES + 2 + width, "",
		branch(is_last),
		profil_subject_percent(page->subject, inner->samples));
	length = print_name(page, inner);
	fprintf(page->out, "%*s%s", length < NAME ? NAME - length + 2 : 2, "",
		profil_code_text(&page->code, place->function, place->address));
	profil_page_end_row(page);
}

static void print_rest(const struct page *page, const struct line_hits *line,
		       int width)
{
	uint64_t samples = 0;

	for (size_t i = MAX_INNER - 1; i < line->nr_inner; i++)
		samples += line->inner[i].samples;
	profil_page_begin_row(page, samples);
	fprintf(page->out, "%*s%s %4.1f  %zu more", PAGE_SHARES + 2 + width, "",
		branch(true), profil_subject_percent(page->subject, samples),
		line->nr_inner - (MAX_INNER - 1));
	profil_page_end_row(page);
}

static void print_all_inner(struct page *page, const struct line_hits *line,
			    int width)
{
	bool is_cut = line->nr_inner > MAX_INNER;
	size_t nr = is_cut ? MAX_INNER - 1 : line->nr_inner;

	if (!line->has_inlined)
		return;
	for (size_t i = 0; i < nr; i++)
		print_inner(page, &line->inner[i], width,
			    !is_cut && i + 1 == nr);
	if (is_cut)
		print_rest(page, line, width);
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
