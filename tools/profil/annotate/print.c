// SPDX-License-Identifier: GPL-2.0-only
/* Annotated function: heading, source lines, instructions and notes */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "annotate/code_page.h"
#include "annotate/print.h"
#include "annotate/short_name.h"
#include "annotate/source_page.h"
#include "util/output.h"
#include "util/text.h"

/* Names of other functions that match */
#define MAX_OTHERS 4

/* Characters of each */
#define NAME 60

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static const struct profile_function *function_of(const struct page *page)
{
	return &page->subject->profile->functions[page->subject->function];
}

static const struct profile_object *object_of(const struct page *page)
{
	return &page->subject->profile->objects[function_of(page)->object];
}

static void print_heading(const struct page *page, const char *file)
{
	const struct subject *subject = page->subject;
	uint64_t total = profil_profile_total(subject->profile);

	if (page->has_colours)
		fputs(BOLD, page->out);
	profil_page_print_text(page, function_of(page)->name);
	if (page->has_colours)
		fputs(PLAIN, page->out);
	fputs("   ", page->out);
	profil_page_print_text(page, profil_text_base(object_of(page)->path));
	fprintf(page->out, "   %" PRIu64 " sample%s, %.1f %% of ",
		subject->samples, subject->samples == 1 ? "" : "s",
		total ? 100.0 * subject->samples / total : 0);
	profil_page_print_text(page, file);
	if (subject->inlined)
		fprintf(page->out,
			"; %" PRIu64 " in callers that inlined the function",
			subject->inlined);
	fputc('\n', page->out);
}

static void print_others(const struct page *page)
{
	const struct subject *subject = page->subject;
	uint32_t nr = subject->nr_others;

	if (!nr)
		return;
	fprintf(page->out, "%u other function%s: ", nr,
		nr == 1 ? " matches" : "s match");
	for (uint32_t i = 0; i < nr && i < MAX_OTHERS; i++) {
		char *name = profil_short_name(subject->profile,
					       subject->others[i], NAME);

		fprintf(page->out, "%s%s", i ? ", " : "", name);
		free(name);
	}
	fputs(nr > MAX_OTHERS ? ", ...\n" : "\n", page->out);
}

/* Time of the program's file, or of the recording if the file is gone */
static uint64_t built_ns(const struct page *page)
{
	struct stat status;

	if (stat(object_of(page)->path, &status))
		return page->subject->profile->head.begin_ns;
	return status.st_mtim.tv_sec * 1000000000ULL + status.st_mtim.tv_nsec;
}

static const char *const sentences[] = {
	[SOURCE_READ] = "",
	[SOURCE_MISSING] =
		"%s is missing: name the directory of the sources with --source; instructions are shown\n",
	[SOURCE_FOREIGN] =
		"%s is not read, as no program here with the build ID of the recording names it: name the directory of the sources with --source; instructions are shown\n",
	[SOURCE_NEWER] =
		"%s is newer than the program: lines may have moved, so instructions are shown\n",
};

static void print_error(const struct page *page, const struct file_hits *file,
			const struct source_text *source,
			enum source_error error)
{
	char *path =
		profil_text_printable(source->path ? source->path : file->file);

	fprintf(page->out, sentences[error], path);
	free(path);
}

/* False if the source of most samples cannot be shown. */
static bool print_file(struct page *page, const struct file_hits *file)
{
	struct source_text source;
	enum source_error error;

	error = profil_source_text_read(&source, &page->finder, file->file,
					built_ns(page));
	if (error)
		print_error(page, file, &source, error);
	else
		profil_source_page_print(page, file, &source);
	profil_source_text_free(&source);
	return !error;
}

static void print_no_lines(const struct page *page)
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
	else if (*object->package)
		fprintf(page->out, "%s has no source lines: apt install %s\n",
			name, object->package);
	else
		fprintf(page->out,
			"%s has no source lines for this function: compile with -g, and record again\n",
			name);
	free(name);
}

/* Print all source files; false if lines of some cannot be shown. */
static bool print_source(struct page *page)
{
	struct source_hits source;
	bool is_complete;

	profil_source_hits_read(&source, page->subject);
	is_complete = source.nr_files;
	if (!source.nr_files)
		print_no_lines(page);
	for (size_t i = 0; i < source.nr_files; i++)
		is_complete &= print_file(page, &source.files[i]);
	if (source.nr_files && source.samples < page->subject->samples)
		fprintf(page->out, "%5.1f        without a source line\n",
			profil_subject_percent(page->subject,
					       page->subject->samples -
						       source.samples));
	profil_source_hits_free(&source);
	return is_complete;
}

/* A reason why instructions are addresses or bytes */
static void print_code_note(struct page *page)
{
	profil_code_read(&page->code, page->subject->hits->place->function);
	if (!page->code.bytes)
		fprintf(page->out,
			"the machine code is not in the profile, and no file with its build ID is here: addresses are shown\n");
	else if (!page->code.instructions.nr)
		fprintf(page->out,
			"profil was built without capstone for this processor: bytes are shown in place of instructions\n");
}

static void print_key(const struct page *page)
{
	fputc('(', page->out);
	if (!page->all)
		fprintf(page->out, "%s: all instructions; ", page->key);
	fprintf(page->out,
		"a sample falls on the instruction after the one that took the time)\n");
}

void profil_annotate_print(struct page *page, const char *file)
{
	const struct profile *profile = page->subject->profile;
	bool has_source;

	profil_code_begin(&page->code, profile);
	profil_source_finder_begin(&page->finder, profile, page->source);
	print_heading(page, file);
	print_others(page);
	has_source = print_source(page);
	if (page->all || !has_source) {
		print_code_note(page);
		profil_code_page_print(page);
	}
	print_key(page);
	profil_source_finder_end(&page->finder);
	profil_code_end(&page->code);
}
