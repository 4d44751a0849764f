/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OBJECTS_H
#define PROFIL_LIB_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct object - the program or a library, as loaded now
 * @base: difference between the loaded and the linked addresses
 * @low: first address of the code
 * @high: address after the code
 * @start: first address of the object, code or data
 * @end: address after the object
 * @entry: entry point of the program, _init() of a library, or @low if it has
 *	none
 * @path: path of the file, "" for the program; valid during the callback
 */
struct object {
	uint64_t base;
	uint64_t low;
	uint64_t high;
	uint64_t start;
	uint64_t end;
	uint64_t entry;
	const char *path;
};

/*
 * Linked address of the caller of a function in @object. gprof drops calls from outside
 * the object, as of a qsort() callback: they become calls by its entry point.
 */
static inline uint64_t object_caller(const struct object *object, uint64_t from)
{
	bool inside = from >= object->start && from < object->end;

	return (inside ? from : object->entry) - object->base;
}

/* Call @take for each object that has code and a file, the program first. */
void profil_objects(void (*take)(const struct object *object, void *data),
		    void *data);

/*
 * Program or library that contains @address, without its path. All zero if none
 * does: a base of 0 leaves an address unchanged.
 */
struct object profil_object_at(uint64_t address);

#endif
