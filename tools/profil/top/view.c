// SPDX-License-Identifier: GPL-2.0-only
/* An annotated function on the screen */
#include "annotate/print.h"
#include "elf/confined.h"
#include "top/top.h"
#include "util/output.h"
#include "util/text.h"

/* The child that reads files is ended after so many seconds. */
#define DEADLINE_S 60

static const char failed[] =
	"\nthe process that reads the files of this function has failed: q goes back\n";

static bool is_function(const struct view *view, const struct profile *profile,
			uint32_t index)
{
	const struct profile_function *function = &profile->functions[index];
	const struct profile_object *object =
		&profile->objects[function->object];

	return object->kind == view->kind &&
	       !strcmp(object->path, view->path) &&
	       !strcmp(function->name, view->name);
}

/* The function with the hottest place, or PROFILE_NONE: static ones share a name. */
static uint32_t find(const struct view *view, const struct profile *profile)
{
	uint32_t found = PROFILE_NONE;
	uint64_t most = 0;

	for (uint32_t i = 0; i < profile->nr_places; i++) {
		const struct profile_place *place = &profile->places[i];
		uint64_t samples = profile_samples_of(place);

		if (samples <= most || place->function == PROFILE_NONE ||
		    !is_function(view, profile, place->function))
			continue;
		most = samples;
		found = place->function;
	}
	return found;
}

static void annotate(const struct view *view, FILE *out,
		     const struct profile *profile, uint32_t function)
{
	struct annotated_function annotated;
	struct annotated_page page = {
		.out = out,
		.has_colours = profil_output_has_colours(stdout),
		.all = view->all,
		.key = "i",
		.source = view->source,
		.annotated = &annotated,
	};

	profil_annotated_make(&annotated, profile, function, true);
	profil_annotate_print(&page, "all samples");
	profil_annotated_free(&annotated);
}

static void print_gone(const struct view *view, FILE *out)
{
	profil_text_print(out, view->name);
	fputs("\nthis function is gone: press q\n", out);
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

static void print(const struct view *view, const struct profile *profile,
		  int fd)
{
	uint32_t function = find(view, profile);
	FILE *out = fdopen(fd, "w");

	if (!out)
		profil_memory_exhausted();
	if (function == PROFILE_NONE)
		print_gone(view, out);
	else
		annotate(view, out, profile, function);
	_exit(fclose(out) ? EXIT_PROFIL : 0);
}

void profil_view_read(struct view *view, const struct profile *profile)
{
	struct confined child;
	size_t size;
	char *text;
	FILE *out = profil_memory_stream(&text, &size);

	if (profil_confine(&child, NULL, DEADLINE_S))
		print(view, profile, child.fd);
	profil_confined_copy(&child, out);
	if (child.status)
		fputs(failed, out);
	profil_memory_stream_end(out);
	close(child.fd);
	free(view->text);
	out = profil_memory_stream(&view->text, &size);
	profil_wrap(out, text, view->columns);
	profil_memory_stream_end(out);
	free(text);
}

void profil_view_open(struct view *view, const struct profile *profile,
		      const struct profile_place *place, size_t columns)
{
	const struct profile_function *function =
		&profile->functions[place->function];
	const struct profile_object *object =
		&profile->objects[function->object];

	*view = (struct view){
		.source = view->source,
		.is_open = true,
		.kind = object->kind,
		.path = profil_copy_string(object->path),
		.name = profil_copy_string(function->name),
		.columns = columns,
	};
	profil_view_read(view, profile);
}

void profil_view_close(struct view *view)
{
	free(view->path);
	free(view->name);
	free(view->text);
	*view = (struct view){ .source = view->source };
}

void profil_view_scroll(struct view *view, long lines)
{
	if (lines < 0 && view->first < (size_t)-lines)
		view->first = 0;
	else
		view->first += lines;
}

static const char *next_line(const char *line)
{
	return line + strcspn(line, "\n") + 1;
}

void profil_view_print(FILE *out, struct view *view, size_t lines)
{
	size_t shown = lines > 1 ? lines - 1 : 1;
	const char *begin = next_line(view->text);
	size_t nr = count_lines(begin);
	const char *end;

	/* The last lines fill the screen. */
	if (shown >= nr || view->first > nr - shown)
		view->first = nr > shown ? nr - shown : 0;
	fwrite(view->text, 1, begin - view->text, out);
	for (size_t i = 0; i < view->first; i++)
		begin = next_line(begin);
	end = begin;
	for (size_t i = 0; i < shown && *end; i++)
		end = next_line(end);
	fwrite(begin, 1, end - begin, out);
}
