// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a function by source file, line and inlined function */
#include <stdlib.h>
#include <string.h>

#include "annotate/source_hits.h"
#include "util/memory.h"

/**
 * struct entry - a hit with the frames it is sorted by
 * @hit: the hit
 * @frame: the function's frame
 * @inner: the innermost frame
 */
struct entry {
	const struct hit *hit;
	const struct profile_frame *frame;
	const struct profile_frame *inner;
};

static int compare(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static int by_line(const struct entry *one, const struct entry *other)
{
	int order = strcmp(one->frame->file, other->frame->file);

	return order ? order : compare(one->frame->line, other->frame->line);
}

static int by_inner(const struct entry *one, const struct entry *other)
{
	int order = by_line(one, other);

	if (!order)
		order = compare(one->inner->function, other->inner->function);
	if (!order)
		order = strcmp(one->inner->file, other->inner->file);
	return order ? order : compare(one->inner->line, other->inner->line);
}

static int by_source(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;
	int order = by_inner(one, other);

	/* The hottest first, and then the lowest address, as in the array */
	if (!order)
		order = compare(other->hit->samples, one->hit->samples);
	return order ? order :
		       compare((uintptr_t)one->hit, (uintptr_t)other->hit);
}

static struct entry *sorted_entries(const struct subject *subject, size_t *nr)
{
	struct entry *entries =
		profil_grow(NULL, subject->nr_hits + 1, sizeof(*entries));

	*nr = 0;
	for (size_t i = 0; i < subject->nr_hits; i++) {
		const struct hit *hit = &subject->hits[i];

		if (hit->frame == PROFILE_NONE ||
		    !*profil_subject_frame(subject, hit)->file)
			continue;
		entries[(*nr)++] = (struct entry){
			.hit = hit,
			.frame = profil_subject_frame(subject, hit),
			.inner = profil_subject_inner(subject, hit),
		};
	}
	if (*nr)
		qsort(entries, *nr, sizeof(*entries), by_source);
	return entries;
}

/* Room in @array for one element more than @nr; the room is a power of two. */
static void *with_room(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return profil_grow(array, nr ? 2 * nr : 1, size);
}

static struct file_hits *add_file(struct source_hits *source,
				  const struct entry *entry)
{
	source->files = with_room(source->files, source->nr_files,
				  sizeof(*source->files));
	source->files[source->nr_files] =
		(struct file_hits){ .file = entry->frame->file };
	return &source->files[source->nr_files++];
}

static struct line_hits *add_line(struct file_hits *file,
				  const struct entry *entry)
{
	file->lines =
		with_room(file->lines, file->nr_lines, sizeof(*file->lines));
	file->lines[file->nr_lines] =
		(struct line_hits){ .number = entry->frame->line };
	return &file->lines[file->nr_lines++];
}

static struct inner_hits *add_inner(struct line_hits *line,
				    const struct entry *entry)
{
	line->inner =
		with_room(line->inner, line->nr_inner, sizeof(*line->inner));
	line->inner[line->nr_inner] = (struct inner_hits){
		.frame = entry->inner,
		.is_inlined = entry->hit->frame > 0,
		.hottest = entry->hit,
	};
	line->has_inlined |= entry->hit->frame > 0;
	return &line->inner[line->nr_inner++];
}

static void add_entries(struct source_hits *source, const struct entry *entries,
			size_t nr)
{
	struct file_hits *file = NULL;
	struct line_hits *line = NULL;
	struct inner_hits *inner = NULL;

	for (size_t i = 0; i < nr; i++) {
		const struct entry *entry = &entries[i];
		const struct entry *before = i ? entry - 1 : NULL;

		if (!before || strcmp(before->frame->file, entry->frame->file))
			file = add_file(source, entry);
		if (!before || by_line(before, entry))
			line = add_line(file, entry);
		if (!before || by_inner(before, entry))
			inner = add_inner(line, entry);
		inner->samples += entry->hit->samples;
		line->samples += entry->hit->samples;
		file->samples += entry->hit->samples;
		source->samples += entry->hit->samples;
	}
}

static int by_samples(const void *a, const void *b)
{
	const struct inner_hits *one = a, *other = b;

	if (one->samples != other->samples)
		return compare(other->samples, one->samples);
	return compare((uintptr_t)one->hottest, (uintptr_t)other->hottest);
}

static int hottest_first(const void *a, const void *b)
{
	const struct file_hits *one = a, *other = b;

	if (one->samples != other->samples)
		return compare(other->samples, one->samples);
	return strcmp(one->file, other->file);
}

static void sort_lines(struct file_hits *file)
{
	for (size_t i = 0; i < file->nr_lines; i++)
		qsort(file->lines[i].inner, file->lines[i].nr_inner,
		      sizeof(*file->lines[i].inner), by_samples);
}

void profil_source_hits_read(struct source_hits *source,
			     const struct subject *subject)
{
	size_t nr;
	struct entry *entries = sorted_entries(subject, &nr);

	*source = (struct source_hits){ 0 };
	add_entries(source, entries, nr);
	free(entries);
	for (size_t i = 0; i < source->nr_files; i++)
		sort_lines(&source->files[i]);
	if (source->nr_files)
		qsort(source->files, source->nr_files, sizeof(*source->files),
		      hottest_first);
}

static void free_lines(struct file_hits *file)
{
	for (size_t i = 0; i < file->nr_lines; i++)
		free(file->lines[i].inner);
	free(file->lines);
}

void profil_source_hits_free(struct source_hits *source)
{
	for (size_t i = 0; i < source->nr_files; i++)
		free_lines(&source->files[i]);
	free(source->files);
}
