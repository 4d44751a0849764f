// SPDX-License-Identifier: GPL-2.0-only
/* An annotated function on the screen */
#include "annotate/print.h"
#include "elf/confined.h"
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

/* The function with the hottest sample, or PROFILE_NONE: static ones share a name. */
static uint32_t find(const struct top_function *shown,
		     const struct profile *profile)
{
	uint32_t found = PROFILE_NONE;
	uint64_t most = 0;

	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		const struct profile_sample *sample = &profile->samples[i];
		const struct profile_place *place =
			profile_place_of(profile, sample);
		uint64_t samples = profile_samples_of(sample);

		if (samples <= most || place->function == PROFILE_NONE ||
		    !is_function(shown, profile, place->function))
			continue;
		most = samples;
		found = place->function;
	}
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
	if (function == PROFILE_NONE)
		print_gone(shown, out);
	else
		annotate(shown, out, profile, function);
	_exit(fclose(out) ? EXIT_PROFIL : 0);
}

void profil_top_function_read(struct top_function *shown,
			      const struct profile *profile)
{
	struct confined child;
	size_t size;
	char *text;
	FILE *out = profil_memory_stream(&text, &size);

	if (profil_confine(&child, NULL, DEADLINE_S))
		print(shown, profile, child.fd);
	profil_confined_copy(&child, out);
	if (child.status)
		fputs(failed, out);
	profil_memory_stream_end(out);
	close(child.fd);
	free(shown->text);
	out = profil_memory_stream(&shown->text, &size);
	profil_wrap(out, text, shown->columns);
	profil_memory_stream_end(out);
	free(text);
}

void profil_top_function_open(struct top_function *shown,
			      const struct profile *profile,
			      const struct profile_place *place, size_t columns)
{
	const struct profile_function *function =
		&profile->functions[place->function];
	const struct profile_object *object =
		&profile->objects[function->object];

	*shown = (struct top_function){
		.source = shown->source,
		.is_open = true,
		.kind = object->kind,
		.path = profil_copy_string(object->path),
		.name = profil_copy_string(function->name),
		.columns = columns,
	};
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
