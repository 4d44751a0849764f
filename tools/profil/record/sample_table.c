// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a run, in memory */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record/sample_table.h"
#include "util/index_map.h"
#include "util/memory.h"

static const char *text_of(const char *string)
{
	return string ? string : "";
}

static bool is_like(const struct code_object *one,
		    const struct code_object *other)
{
	return one->kind == other->kind && one->pid == other->pid &&
	       !strcmp(one->path, other->path) &&
	       !strcmp(one->program, other->program) &&
	       !strcmp(one->cgroup, text_of(other->cgroup)) &&
	       !strcmp(one->thread, text_of(other->thread)) &&
	       !memcmp(&one->identity, &other->identity, sizeof(one->identity));
}

static uint64_t hash_of(const char *string)
{
	const char *text = text_of(string);

	return profil_hash(HASH_EMPTY, text, strlen(text));
}

static struct index_key key_of(const struct code_object *object)
{
	return (struct index_key){ {
		(uint64_t)object->kind << 32 | object->pid,
		hash_of(object->path) ^ profil_hash(HASH_EMPTY,
						    &object->identity,
						    sizeof(object->identity)),
		hash_of(object->program) ^ 3 * hash_of(object->cgroup) ^
			5 * hash_of(object->thread),
	} };
}

/* Programs may choose names of equal hashes; only the first has the key. */
static struct code_object *find(const struct sample_table *table,
				const struct code_object *wanted)
{
	size_t i = profil_index_map_find(&table->found, key_of(wanted));

	if (i == INDEX_NONE)
		return NULL;
	for (; i < table->nr; i++)
		if (is_like(&table->objects[i], wanted))
			return &table->objects[i];
	return NULL;
}

static void set_found(struct sample_table *table, size_t index)
{
	struct index_key key = key_of(&table->objects[index]);

	if (profil_index_map_find(&table->found, key) == INDEX_NONE)
		profil_index_map_set(&table->found, key, index);
}

struct code_object *profil_sample_table_object(struct sample_table *table,
					       const struct code_object *wanted)
{
	struct code_object *object = find(table, wanted);

	if (object)
		return object;
	table->objects =
		profil_grow(table->objects, table->nr + 1, sizeof(*object));
	object = &table->objects[table->nr++];
	*object = (struct code_object){
		.kind = wanted->kind,
		.path = profil_copy_string(wanted->path),
		.program = profil_copy_string(wanted->program),
		.cgroup = profil_copy_string(text_of(wanted->cgroup)),
		.thread = profil_copy_string(text_of(wanted->thread)),
		.pid = wanted->pid,
		.identity = wanted->identity,
	};
	set_found(table, table->nr - 1);
	return object;
}

void profil_sample_table_add(struct sample_table *table,
			     struct code_object *object,
			     const struct sample *sample)
{
	if (object->nr == object->room) {
		object->room = object->room ? 2 * object->room : 64;
		object->samples = profil_grow(object->samples, object->room,
					      sizeof(*object->samples));
	}
	object->samples[object->nr++] = *sample;
	table->counted += sample_count(sample);
}

static int by_offset(const void *a, const void *b)
{
	const struct sample *one = a;
	const struct sample *other = b;

	return (one->offset > other->offset) - (one->offset < other->offset);
}

/* Add up sorted samples at the same offset. */
static void join(struct code_object *object)
{
	struct sample *last = object->samples;

	for (size_t i = 1; i < object->nr; i++) {
		const struct sample *sample = &object->samples[i];

		if (sample->offset != last->offset) {
			*++last = *sample;
			continue;
		}
		last->user += sample->user;
		last->kernel += sample->kernel;
	}
	object->nr = last - object->samples + 1;
}

void profil_sample_table_sort(struct sample_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		struct code_object *object = &table->objects[i];

		if (!object->nr)
			continue;
		qsort(object->samples, object->nr, sizeof(*object->samples),
		      by_offset);
		join(object);
	}
}

static uint64_t rest(uint64_t all, uint64_t part)
{
	return all > part ? all - part : 0;
}

static void subtract(struct sample_table *table, struct code_object *object,
		     const struct code_object *before)
{
	struct sample *to = object->samples;
	struct sample *end = to + object->nr;

	for (size_t i = 0; i < before->nr; i++) {
		const struct sample *from = &before->samples[i];

		while (to < end && to->offset < from->offset)
			to++;
		if (to == end || to->offset != from->offset)
			continue;
		table->counted -= sample_count(to);
		to->user = rest(to->user, from->user);
		to->kernel = rest(to->kernel, from->kernel);
		table->counted += sample_count(to);
	}
}

void profil_sample_table_subtract(struct sample_table *table,
				  const struct sample_table *before)
{
	for (size_t i = 0; i < before->nr; i++)
		subtract(table,
			 profil_sample_table_object(table, &before->objects[i]),
			 &before->objects[i]);
}

static void copy(struct code_object *to, const struct code_object *from)
{
	*to = *from;
	to->path = profil_copy_string(from->path);
	to->program = profil_copy_string(from->program);
	to->cgroup = profil_copy_string(from->cgroup);
	to->thread = profil_copy_string(from->thread);
	to->room = from->nr;
	to->samples = profil_grow(NULL, from->nr + 1, sizeof(*to->samples));
	if (from->nr)
		memcpy(to->samples, from->samples,
		       from->nr * sizeof(*to->samples));
}

void profil_sample_table_copy(struct sample_table *to,
			      const struct sample_table *from)
{
	*to = *from;
	to->objects = profil_grow(NULL, from->nr + 1, sizeof(*to->objects));
	to->found = (struct index_map){ 0 };
	for (size_t i = 0; i < from->nr; i++) {
		copy(&to->objects[i], &from->objects[i]);
		set_found(to, i);
	}
}

void profil_sample_table_free(struct sample_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		free(table->objects[i].path);
		free(table->objects[i].program);
		free(table->objects[i].cgroup);
		free(table->objects[i].thread);
		free(table->objects[i].samples);
	}
	free(table->objects);
	profil_index_map_free(&table->found);
	*table = (struct sample_table){ 0 };
}
