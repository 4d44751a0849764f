// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of a function */
#include <stdlib.h>
#include <string.h>

#include "html/lines.h"
#include "util/memory.h"

/* The outermost frame is in the function, the innermost may be inlined. */
static struct line line_of(const struct profile *profile,
			   const struct profile_place *place)
{
	const struct profile_frame *inner = &profile->frames[place->frames];
	const struct profile_frame *outer = inner + place->nr_frames - 1;
	struct line line = {
		.file = outer->file,
		.line = outer->line,
		.inlined = PROFILE_NONE,
		.samples = place->user + place->kernel,
	};

	if (inner != outer) {
		line.inlined = inner->function;
		line.inlined_file = inner->file;
		line.inlined_line = inner->line;
	}
	return line;
}

static int compare(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

/* Equal strings have the same address, but its order is not reproducible. */
static int by_place(const void *a, const void *b)
{
	const struct line *one = a, *other = b;
	int order = strcmp(one->file, other->file);

	if (!order)
		order = compare(one->line, other->line);
	if (!order)
		order = compare(one->inlined, other->inlined);
	if (!order && one->inlined != PROFILE_NONE)
		order = strcmp(one->inlined_file, other->inlined_file);
	return order ? order : compare(one->inlined_line, other->inlined_line);
}

static int by_samples(const void *a, const void *b)
{
	const struct line *one = a, *other = b;
	int order = strcmp(one->file, other->file);

	if (!order)
		order = compare(one->line, other->line);
	if (!order)
		order = compare(one->inlined != PROFILE_NONE,
				other->inlined != PROFILE_NONE);
	if (!order)
		order = compare(other->samples, one->samples);
	return order ? order : by_place(a, b);
}

static void join(struct lines *lines)
{
	struct line *to = lines->array;

	if (!lines->nr)
		return;
	qsort(to, lines->nr, sizeof(*to), by_place);
	for (size_t i = 1; i < lines->nr; i++) {
		const struct line *from = &lines->array[i];

		if (by_place(to, from))
			*++to = *from;
		else
			to->samples += from->samples;
	}
	lines->nr = to - lines->array + 1;
	qsort(lines->array, lines->nr, sizeof(*to), by_samples);
}

void profil_lines_read(struct lines *lines, const struct profile *profile,
		       uint32_t function, uint32_t first, uint32_t end)
{
	*lines = (struct lines){
		.array = profil_grow(NULL, (size_t)end - first + 1,
				     sizeof(*lines->array)),
	};
	for (uint32_t i = first; i < end; i++) {
		const struct profile_place *place = &profile->places[i];
		struct line line;

		if (place->function != function)
			continue;
		if (place->nr_frames)
			line = line_of(profile, place);
		if (place->nr_frames && line.line && *line.file)
			lines->array[lines->nr++] = line;
		else
			lines->unknown += place->user + place->kernel;
	}
	join(lines);
}

void profil_lines_free(struct lines *lines)
{
	free(lines->array);
	*lines = (struct lines){ 0 };
}
