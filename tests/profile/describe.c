// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

/* Lines end with the byte 0, since names may have any other. */
#define END '\0'

static void put_bytes(FILE *out, const uint8_t *bytes, uint64_t size)
{
	for (uint64_t i = 0; i < size; i++)
		fprintf(out, "%02x", bytes[i]);
}

static void put_object(FILE *out, const struct profile_object *it)
{
	fprintf(out, "%d|%s|", it->kind, it->path);
	put_bytes(out, it->build_id, it->build_id_size);
	fprintf(out, "|%d|%d|%d|", it->names, it->lines, it->is_relocatable);
}

static void put_function(FILE *out, const struct profile *profile,
			 uint32_t index)
{
	const struct profile_function *it;

	if (index == PROFILE_NONE) {
		fputs("none|", out);
		return;
	}
	it = &profile->functions[index];
	put_object(out, &profile->objects[it->object]);
	fprintf(out, "%s|%s|%llx|%llu|%d|%d|%s|%u|", it->symbol, it->name,
		(unsigned long long)it->address, (unsigned long long)it->size,
		it->is_local, it->is_inlined, it->file, it->line);
	if (it->code)
		put_bytes(out, it->code, it->size);
}

static void put_program(FILE *out, const struct profile_program *it)
{
	fprintf(out, "%s|%s|%s|%s", it->path, it->cgroup, it->thread, it->file);
}

static void put_place(FILE *out, const struct profile *profile,
		      const struct profile_sample *sample)
{
	const struct profile_place *it = &profile->places[sample->place];

	put_object(out, &profile->objects[it->object]);
	put_program(out, &profile->programs[sample->program]);
	fprintf(out, "|%llx|%llx|%llu|%llu|", (unsigned long long)it->offset,
		(unsigned long long)it->address,
		(unsigned long long)sample->user,
		(unsigned long long)sample->kernel);
	put_function(out, profile, it->function);
	for (uint32_t i = 0; i < it->nr_frames; i++) {
		const struct profile_frame *frame =
			&profile->frames[it->frames + i];

		fprintf(out, "|%s:%u:%u:%u ", frame->file, frame->line,
			frame->column, frame->discriminator);
		put_function(out, profile, frame->function);
	}
}

/* From the leaf to the base */
static void put_stack(FILE *out, const struct profile *profile,
		      const struct profile_stack *stack)
{
	fprintf(out, "stack %llu|%llu|", (unsigned long long)stack->user,
		(unsigned long long)stack->kernel);
	for (;;) {
		const struct profile_sample none = { stack->place,
						     stack->program };

		put_place(out, profile, &none);
		fprintf(out, "end %u|", stack->end);
		if (stack->parent == PROFILE_NONE)
			break;
		stack = &profile->stacks[stack->parent];
	}
}

/* Names, and all else as it is in memory, which begins as zeros */
static void put_head(FILE *out, const struct profile_head *head)
{
	struct profile_head rest = *head;

	for (uint32_t i = 0; i < head->argc; i++)
		fprintf(out, "%s|", head->argv[i]);
	fprintf(out, "%s|%s|%s|%s|%s|", head->host, head->machine,
		head->release, head->cgroup, head->format ?: "");
	rest.argv = NULL;
	rest.host = NULL;
	rest.machine = NULL;
	rest.release = NULL;
	rest.cgroup = NULL;
	rest.format = NULL;
	put_bytes(out, (const uint8_t *)&rest, sizeof(rest));
}

static void put_tables(FILE *out, const struct profile *profile)
{
	for (uint32_t i = 0; i < profile->nr_programs; i++) {
		fputs("program ", out);
		put_program(out, &profile->programs[i]);
		fputc(END, out);
	}
	for (uint32_t i = 0; i < profile->nr_kernel; i++) {
		const struct profile_kernel *it = &profile->kernel[i];

		fprintf(out, "kernel %llu|%s|", (unsigned long long)it->samples,
			it->name);
		if (it->program != PROFILE_NONE)
			put_program(out, &profile->programs[it->program]);
		if (it->stack != PROFILE_NONE)
			put_stack(out, profile, &profile->stacks[it->stack]);
		fputc(END, out);
	}
	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		fputs("object ", out);
		put_object(out, &profile->objects[i]);
		fputc(END, out);
	}
	for (uint32_t i = 0; i < profile->nr_segments; i++) {
		const struct profile_segment *it = &profile->segments[i];

		fprintf(out, "segment %llx|%llx|%llu|",
			(unsigned long long)it->offset,
			(unsigned long long)it->address,
			(unsigned long long)it->size);
		put_object(out, &profile->objects[it->object]);
		fputc(END, out);
	}
}

static void put_all(FILE *out, const struct profile *profile)
{
	fputs("head ", out);
	put_head(out, &profile->head);
	fputc(END, out);
	put_tables(out, profile);
	for (uint32_t i = 0; i < profile->nr_functions; i++) {
		fputs("function ", out);
		put_function(out, profile, i);
		fputc(END, out);
	}
	for (uint32_t i = 0; i < profile->nr_samples; i++) {
		fputs("sample ", out);
		put_place(out, profile, &profile->samples[i]);
		fputc(END, out);
	}
	for (uint32_t i = 0; i < profile->nr_stacks; i++) {
		put_stack(out, profile, &profile->stacks[i]);
		fputc(END, out);
	}
}

static int by_text(const void *one, const void *other)
{
	return strcmp(*(char *const *)one, *(char *const *)other);
}

/* The lines in @text, of @size bytes, sorted, each with a newline at the end */
static char *sort_lines(const char *text, size_t size)
{
	char **lines = calloc(size + 1, sizeof(*lines));
	size_t nr = 0, length;
	char *sorted;
	FILE *out = open_memstream(&sorted, &length);

	if (!lines || !out)
		abort();
	for (const char *at = text; at < text + size; at += strlen(at) + 1)
		lines[nr++] = (char *)at;
	qsort(lines, nr, sizeof(*lines), by_text);
	for (size_t i = 0; i < nr; i++)
		fprintf(out, "%s\n", lines[i]);
	fclose(out);
	free(lines);
	return sorted;
}

char *describe(const struct profile *profile)
{
	char *text, *sorted;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	put_all(out, profile);
	fclose(out);
	sorted = sort_lines(text, size);
	free(text);
	return sorted;
}
