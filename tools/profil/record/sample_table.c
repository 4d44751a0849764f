// SPDX-License-Identifier: GPL-2.0-only
/* Samples of a run, in memory */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "record/sample_table.h"
#include "util/memory.h"

static bool is_like(const struct code_object *one,
		    const struct code_object *other)
{
	return one->kind == other->kind && !strcmp(one->path, other->path) &&
	       !memcmp(&one->identity, &other->identity, sizeof(one->identity));
}

struct code_object *profil_sample_table_object(struct sample_table *table,
					       const struct code_object *wanted)
{
	struct code_object *object;

	for (size_t i = 0; i < table->nr; i++)
		if (is_like(&table->objects[i], wanted))
			return &table->objects[i];
	table->objects =
		profil_grow(table->objects, table->nr + 1, sizeof(*object));
	object = &table->objects[table->nr++];
	*object = (struct code_object){
		.kind = wanted->kind,
		.path = profil_copy_string(wanted->path),
		.identity = wanted->identity,
	};
	return object;
}

void profil_sample_table_add(struct sample_table *table,
			     struct code_object *object, uint64_t offset,
			     uint64_t count)
{
	if (object->nr == object->room) {
		object->room = object->room ? 2 * object->room : 64;
		object->samples = profil_grow(object->samples, object->room,
					      sizeof(*object->samples));
	}
	object->samples[object->nr++] = (struct sample){ offset, count };
	table->counted += count;
}

static int by_offset(const void *a, const void *b)
{
	const struct sample *one = a;
	const struct sample *other = b;

	return (one->offset > other->offset) - (one->offset < other->offset);
}

void profil_sample_table_sort(struct sample_table *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		struct code_object *object = &table->objects[i];

		if (object->nr)
			qsort(object->samples, object->nr,
			      sizeof(*object->samples), by_offset);
	}
}

uint64_t profil_sample_table_total(const struct sample_table *table)
{
	return table->counted + table->outside + table->lost;
}
