// SPDX-License-Identifier: GPL-2.0-only
/* Annotated function: heading, source lines, instructions and notes */
#include <sys/stat.h>

#include "annotate/print.h"
#include "elf/debuginfod.h"
#include "print/call_tree.h"
#include "print/find.h"
#include "util/clock.h"
#include "util/output.h"
#include "util/short_names.h"
#include "util/text.h"

/* Rows of inlined code below a line */
#define MAX_INNER 5

/* Characters of the name of an inlined function */
#define FUNCTION 40

static const struct profile_function *
function_of(const struct annotated_page *page)
{
	return &page->annotated->profile->functions[page->annotated->function];
}

static int digits(uint32_t number)
{
	int nr = 1;

	for (; number >= 10; number /= 10)
		nr++;
	return nr;
}

/* Width of the column of totals, which functions with callees have */
#define TOTAL 7

static int shares_width(const struct annotated_page *page)
{
	return PAGE_SHARES + (page->annotated->has_callers ? TOTAL : 0);
}

static void print_total(const struct annotated_page *page, uint64_t total)
{
	if (page->annotated->has_callers && total)
		fprintf(page->out, "%*.1f", TOTAL,
			profil_annotated_percent(page->annotated, total));
	else if (page->annotated->has_callers)
		fprintf(page->out, "%*s", TOTAL, "");
}

/* Print a line of @source, whose samples are @hits, or NULL if it has none. */
static void print_line(const struct annotated_page *page,
		       const struct source_text *source, uint32_t number,
		       const struct line_hits *hits, int width)
{
	char *text =
		profil_source_text_line(source, number, profil_text_printable);
	uint64_t samples = hits ? hits->samples : 0;
	uint64_t total = hits ? hits->total : 0;

	profil_listing_begin_row(page, total > samples ? total : samples);
	profil_listing_print_share(page, samples);
	print_total(page, total);
	fprintf(page->out, "  %*u%s%s", width, number,
		text && *text ? "  " : "", text ? text : "");
	profil_listing_end_row(page);
	free(text);
}

/* Where the code of @inner comes from */
static char *label_of(const struct annotated_page *page,
		      const struct group *inner)
{
	const struct profile *profile = page->annotated->profile;
	const struct profile_place *place =
		profile_place_of(profile, inner->hottest);
	const struct profile_frame *frame = profile_frames_of(profile, place);
	char *file = profil_text_printable(profil_text_base(frame->file));
	char *name = profil_annotated_name(profile, frame->function, FUNCTION);
	char *label = profil_grow(NULL, strlen(file) + strlen(name) + 32, 1);

	if (inner->numbers[INNER_IS_INLINED])
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
		return profil_text_sign("└", "`");
	return profil_text_sign("├", "|");
}

/* Begin a row below a line: a branch and the share */
static void print_branch(const struct annotated_page *page, uint64_t samples,
			 int indent, bool is_last)
{
	profil_listing_begin_row(page, samples);
	fprintf(page->out, "%*s%s %5.1f  ", shares_width(page) + 2 + indent, "",
		branch(is_last),
		profil_annotated_percent(page->annotated, samples));
}

static void print_inner(struct annotated_page *page, const struct group *inner,
			const char *label, size_t width)
{
	const struct profile_place *place =
		profile_place_of(page->annotated->profile, inner->hottest);

	fprintf(page->out, "%s%*s  %s", label,
		(int)(width - profil_text_width(label)), "",
		profil_instructions_text(&page->code, place->function,
					 place->address));
	profil_listing_end_row(page);
}

static void print_rest(const struct annotated_page *page,
		       const struct line_hits *line, int indent)
{
	uint64_t samples = 0;

	for (size_t i = MAX_INNER - 1; i < line->nr_inner; i++)
		samples += line->inner[i].samples;
	print_branch(page, samples, indent, true);
	fprintf(page->out, "%zu more", line->nr_inner - (MAX_INNER - 1));
	profil_listing_end_row(page);
}

/* Print the first @nr places of @line, with instructions in one column. */
static void print_first(struct annotated_page *page,
			const struct line_hits *line, size_t nr, int indent)
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

static void print_all_inner(struct annotated_page *page,
			    const struct line_hits *line, int indent)
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

static void print_context(const struct annotated_page *page,
			  const struct source_text *source, uint32_t from,
			  uint32_t to, int width)
{
	for (uint32_t number = from; number <= to; number++)
		print_line(page, source, number, NULL, width);
}

static void print_head(const struct annotated_page *page,
		       const struct source_text *source)
{
	profil_listing_print_head(page);
	if (page->annotated->has_callers)
		fprintf(page->out, "%*s", TOTAL, "total");
	fputs("  ", page->out);
	profil_text_print(page->out, source->path);
	fputc('\n', page->out);
}

/*
 * Print the lines of @file with samples, and lines around them, from @source.
 * Inlined code has rows below its line.
 */
static void print_source_page(struct annotated_page *page,
			      const struct file_hits *file,
			      const struct source_text *source)
{
	const struct profile_function *function = function_of(page);
	int width = digits(file->lines[file->nr_lines - 1].number);
	uint32_t printed = 0;

	print_head(page, source);
	for (size_t i = 0; i < file->nr_lines; i++) {
		const struct line_hits *line = &file->lines[i];
		uint32_t first = first_context(file, i, function);

		if (first <= printed)
			first = printed + 1;
		if (printed && first > printed + 1)
			fprintf(page->out, "%*s  ...\n", shares_width(page),
				"");
		if (line->number)
			print_context(page, source, first, line->number - 1,
				      width);
		print_line(page, source, line->number, line, width);
		print_all_inner(page, line, width);
		printed = last_context(file, i, source);
		print_context(page, source, line->number + 1, printed, width);
		if (printed < line->number)
			printed = line->number;
	}
}

static const struct profile_object *object_of(const struct annotated_page *page)
{
	return &page->annotated->profile->objects[function_of(page)->object];
}

static void print_heading(const struct annotated_page *page, const char *file)
{
	const struct annotated_function *annotated = page->annotated;
	uint64_t total = profil_profile_total(annotated->profile);

	if (page->has_colours)
		fputs(BOLD, page->out);
	profil_text_print(page->out, function_of(page)->name);
	if (page->has_colours)
		fputs(PLAIN, page->out);
	fputs("   ", page->out);
	profil_text_print(page->out, profil_text_base(object_of(page)->path));
	fprintf(page->out, "   %" PRIu64 " sample%s, %.1f %% of ",
		annotated->samples, plural(annotated->samples),
		total ? 100.0 * annotated->samples / total : 0);
	profil_text_print(page->out, file);
	if (annotated->has_callers && annotated->total > annotated->samples)
		fprintf(page->out,
			"; %" PRIu64 " with what it has called, %.1f %%",
			annotated->total, 100.0 * annotated->total / total);
	if (annotated->inlined)
		fprintf(page->out,
			"; %" PRIu64 " in callers that inlined the function",
			annotated->inlined);
	fputc('\n', page->out);
}

/* Time of the program's file, or of the recording if the file is gone */
static uint64_t built_ns(const struct annotated_page *page)
{
	struct stat status;

	if (stat(object_of(page)->path, &status))
		return page->annotated->profile->head.begin_ns;
	return profil_nanoseconds(status.st_mtim);
}

static const char *const sentences[] = {
	[SOURCE_MISSING] =
		"%s is missing: name the directory of the sources with --source; instructions are shown\n",
	[SOURCE_FOREIGN] =
		"%s is not read, as no program here with the build ID of the recording names it: name the directory of the sources with --source; instructions are shown\n",
	[SOURCE_NEWER] =
		"%s is newer than the program: lines may have moved, so instructions are shown\n",
};

static void print_error(const struct annotated_page *page,
			const struct file_hits *file,
			const struct source_text *source,
			enum source_error error)
{
	char *path =
		profil_text_printable(source->path ? source->path : file->file);

	fprintf(page->out, sentences[error], path);
	free(path);
}

/* False if the source of most samples cannot be shown. */
static bool print_file(struct annotated_page *page,
		       const struct file_hits *file)
{
	struct source_text source;
	enum source_error error;

	error = profil_source_text_read(&source, &page->finder, file->file,
					built_ns(page));
	if (error)
		print_error(page, file, &source, error);
	else
		print_source_page(page, file, &source);
	profil_source_text_free(&source);
	return !error;
}

static void print_no_lines(const struct annotated_page *page)
{
	const struct profile_object *object = object_of(page);
	char *name = profil_text_printable(profil_text_base(object->path));

	if (object->kind != PROFILE_FILE)
		fprintf(page->out,
			"%s has generated this code: no source lines are known\n",
			name);
	else if (object->names != PROFILE_NAMES_READ)
		fprintf(page->out,
			"%s was not read when the recording ended: no source lines are known\n",
			name);
	else if (object->lines == PROFILE_LINES_PACKED)
		fprintf(page->out,
			"%s has debugging sections that are compressed in a way that elfutils could not read: objcopy --decompress-debug-sections, and record again\n",
			name);
	else if (!profil_path_is_of_system(object->path))
		fprintf(page->out,
			"%s has no source lines for this function: compile with -g, do not strip it, and record again\n",
			name);
	else if (profil_debuginfod_has_servers())
		fprintf(page->out,
			"%s has no source lines, and the servers of DEBUGINFOD_URLS gave none: install its debugging symbols, and record again\n",
			name);
	else
		fprintf(page->out,
			"%s has no source lines: set DEBUGINFOD_URLS, or install its debugging symbols and record again\n",
			name);
	free(name);
}

/* Print all source files; false if lines of some cannot be shown. */
static bool print_source(struct annotated_page *page)
{
	struct source_hits source;
	bool is_complete;

	profil_source_hits_read(&source, page->annotated);
	is_complete = source.nr_files;
	if (!source.nr_files)
		print_no_lines(page);
	for (size_t i = 0; i < source.nr_files; i++)
		is_complete &= print_file(page, &source.files[i]);
	if (source.nr_files && source.samples < page->annotated->samples)
		fprintf(page->out, "%5.1f        without a source line\n",
			profil_annotated_percent(page->annotated,
						 page->annotated->samples -
							 source.samples));
	profil_source_hits_free(&source);
	return is_complete;
}

/* A reason why instructions are addresses or bytes */
static void print_code_note(struct annotated_page *page)
{
	const struct profile_object *object = object_of(page);
	const struct annotated_function *annotated = page->annotated;
	const struct profile_sample *hottest = annotated->hits.array->hottest;
	const struct profile_place *place =
		profile_place_of(annotated->profile, hottest);

	profil_instructions_read(&page->code, place->function);
	if (!page->code.bytes && object->kind != PROFILE_FILE)
		fprintf(page->out,
			"generated code is not in the profile: addresses are shown\n");
	else if (!page->code.bytes && !object->build_id_size)
		fprintf(page->out,
			"the machine code is not in the profile, and its file has no build ID by which it would be known: addresses are shown\n");
	else if (!page->code.bytes)
		fprintf(page->out,
			"the machine code is not in the profile, and no file with its build ID is here: addresses are shown\n");
	else if (!page->code.nr)
		fprintf(page->out,
			"profil was built without capstone for this processor: bytes are shown in place of instructions\n");
}

static void print_instructions(struct annotated_page *page)
{
	if (!page->annotated->hits.nr) {
		fprintf(page->out,
			"no instruction of the function has samples of its own: profil report -c has its calls\n");
		return;
	}
	print_code_note(page);
	profil_listing_print(page);
}

static void print_key(const struct annotated_page *page, bool has_source)
{
	bool has_instructions = page->annotated->hits.nr;

	if (!has_source && !has_instructions)
		return;
	fputc('(', page->out);
	if (!page->all && has_instructions)
		fprintf(page->out, "%s: all instructions; ", page->key);
	fprintf(page->out,
		"a sample falls on the instruction after the one that took the time)\n");
}

void profil_annotate_print(struct annotated_page *page, const char *file)
{
	const struct profile *profile = page->annotated->profile;
	bool has_source;

	page->code = (struct instructions){ profile, .function = PROFILE_NONE };
	profil_source_finder_begin(&page->finder, profile, page->source);
	print_heading(page, file);
	profil_call_tree_print_nearest(page->out, profile,
				       page->annotated->function);
	profil_functions_print_others(page->out, profile,
				      page->annotated->others,
				      page->annotated->nr_others);
	has_source = print_source(page);
	if (page->all || !has_source)
		print_instructions(page);
	print_key(page, has_source);
	profil_source_finder_end(&page->finder);
	profil_instructions_end(&page->code);
}
