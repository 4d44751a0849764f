// SPDX-License-Identifier: GPL-2.0-only
/* A function on the screen */
#include "annotate/print.h"
#include "elf/confined.h"
#include "print/call_tree.h"
#include "top/function.h"
#include "top/page.h"
#include "util/output.h"
#include "util/text.h"

/* The child that reads files is ended after so many seconds. */
#define DEADLINE_S 60

static const char failed[] =
	"\nthe process that reads the files of this function has failed: q goes back\n";

static bool is_function(const struct top_function *shown,
			const struct profile *profile, uint32_t index)
{
	const struct profile_function *function = &profile->functions[index];
	const struct profile_object *object =
		&profile->objects[function->object];

	return object->kind == shown->kind &&
	       !strcmp(object->path, shown->path) &&
	       !strcmp(function->name, shown->name);
}

/* A caller has this function. */
static bool is_caller(const struct top_function *shown,
		      const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		uint32_t place = profile->stacks[i].place;
		uint32_t function = profile->places[place].function;

		if (function != PROFILE_NONE &&
		    is_function(shown, profile, function))
			return true;
	}
	return false;
}

/* The one with most samples, or PROFILE_NONE: static functions share a name. */
static uint32_t find(const struct top_function *shown,
		     const struct profile *profile)
{
	uint64_t *samples = profil_profile_samples(profile), most = 0;
	uint32_t found = PROFILE_NONE;

	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		if (samples[i] <= most || !is_function(shown, profile, i))
			continue;
		most = samples[i];
		found = i;
	}
	free(samples);
	return found;
}

static void annotate(const struct top_function *shown, FILE *out,
		     const struct profile *profile, uint32_t function)
{
	struct annotated_function annotated;
	struct annotated_page page = {
		.out = out,
		.has_colours = profil_output_has_colours(stdout),
		.all = shown->all,
		.key = "i",
		.source = shown->source,
		.annotated = &annotated,
	};

	profil_annotated_make(&annotated, profile, function, true);
	profil_annotate_print(&page, "all samples");
	profil_annotated_free(&annotated);
}

static void print_gone(const struct top_function *shown, FILE *out)
{
	profil_text_print(out, shown->name);
	fputs("\nthis function is gone: press q\n", out);
}

static void print_caller(const struct top_function *shown, FILE *out)
{
	profil_text_print(out, shown->name);
	fputs("\nno sample is in this function itself: Enter in its row shows what it calls\n",
	      out);
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

static void print(const struct top_function *shown,
		  const struct profile *profile, int fd)
{
	uint32_t function = find(shown, profile);
	FILE *out = fdopen(fd, "w");

	if (!out)
		profil_memory_exhausted();
	if (function != PROFILE_NONE)
		annotate(shown, out, profile, function);
	else if (is_caller(shown, profile))
		print_caller(shown, out);
	else
		print_gone(shown, out);
	_exit(fclose(out) ? EXIT_PROFIL : 0);
}

/* The name of the function in @tree with the most samples; PROFILE_NONE: it is gone. */
static uint32_t find_name(const struct top_function *shown,
			  const struct profile *profile,
			  const struct tree *tree)
{
	uint32_t found = PROFILE_NONE;

	for (uint32_t i = 0; i < tree->nr_names; i++) {
		uint32_t function = tree->names[i].function;

		if (function == PROFILE_NONE ||
		    !is_function(shown, profile, function))
			continue;
		if (found == PROFILE_NONE ||
		    tree->names[i].total > tree->names[found].total)
			found = i;
	}
	return found;
}

/* The line of the function stays where it is on the screen. */
static void move_centre(struct top_function *shown, size_t centre)
{
	if (shown->first + centre > shown->centre)
		shown->first += centre - shown->centre;
	else
		shown->first = 0;
	shown->centre = centre;
}

static void read_calls(struct top_function *shown,
		       const struct profile *profile)
{
	static const struct flat flat;
	FILE *out = profil_memory_stream(&shown->text, NULL);
	struct call_tree calls;
	size_t above = 0;
	uint32_t name;

	profil_call_tree_read(&calls, profile, profil_text_printable);
	name = find_name(shown, profile, &calls.tree);
	if (name == PROFILE_NONE)
		print_gone(shown, out);
	else
		above = profil_call_tree_print_function(out, &calls, name,
							&flat, shown->columns);
	profil_call_tree_free(&calls);
	profil_memory_stream_end(out);
	move_centre(shown, above);
}

static void read_lines(struct top_function *shown,
		       const struct profile *profile)
{
	struct confined child;
	char *text;
	FILE *out = profil_memory_stream(&text, NULL);

	if (profil_confine(&child, NULL, DEADLINE_S))
		print(shown, profile, child.fd);
	profil_confined_copy(&child, out);
	if (child.status)
		fputs(failed, out);
	profil_memory_stream_end(out);
	close(child.fd);
	out = profil_memory_stream(&shown->text, NULL);
	profil_wrap(out, text, shown->columns);
	profil_memory_stream_end(out);
	free(text);
}

void profil_top_function_read(struct top_function *shown,
			      const struct profile *profile)
{
	free(shown->text);
	if (shown->is_calls)
		read_calls(shown, profile);
	else
		read_lines(shown, profile);
}

void profil_top_function_open(struct top_function *shown,
			      const struct profile *profile,
			      const struct profile_place *place, size_t columns,
			      bool is_calls)
{
	const struct profile_function *function =
		&profile->functions[place->function];
	const struct profile_object *object =
		&profile->objects[function->object];

	*shown = (struct top_function){
		.source = shown->source,
		.is_open = true,
		.is_calls = is_calls,
		.kind = object->kind,
		.path = profil_copy_string(object->path),
		.name = profil_copy_string(function->name),
		.columns = columns,
	};
	profil_top_function_read(shown, profile);
}

void profil_top_function_annotate(struct top_function *shown,
				  const struct profile *profile)
{
	shown->is_calls = false;
	shown->first = 0;
	shown->centre = 0;
	profil_top_function_read(shown, profile);
}

void profil_top_function_close(struct top_function *shown)
{
	free(shown->path);
	free(shown->name);
	free(shown->text);
	*shown = (struct top_function){ .source = shown->source };
}

void profil_top_function_scroll(struct top_function *shown, long lines)
{
	if (lines < 0 && shown->first < (size_t)-lines)
		shown->first = 0;
	else
		shown->first += lines;
}

static const char *next_line(const char *line)
{
	return line + strcspn(line, "\n") + 1;
}

void profil_top_function_print(FILE *out, struct top_function *shown,
			       size_t lines)
{
	size_t room = lines > 1 ? lines - 1 : 1;
	const char *begin = next_line(shown->text);
	size_t nr = count_lines(begin);
	const char *end;

	if (!shown->is_placed && shown->centre > room / 2)
		shown->first = shown->centre - room / 2;
	shown->is_placed = true;
	/* The last lines fill the screen. */
	if (room >= nr || shown->first > nr - room)
		shown->first = nr > room ? nr - room : 0;
	fwrite(shown->text, 1, begin - shown->text, out);
	for (size_t i = 0; i < shown->first; i++)
		begin = next_line(begin);
	end = begin;
	for (size_t i = 0; i < room && *end; i++)
		end = next_line(end);
	fwrite(begin, 1, end - begin, out);
}
