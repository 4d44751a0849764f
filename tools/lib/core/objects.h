/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_OBJECTS_H
#define PROFIL_LIB_OBJECTS_H

#include <stdint.h>

/**
 * struct object - the program or a library, as it is loaded now
 * @base: what was added to the addresses that it was linked with
 * @low: where its code begins
 * @high: address after its code
 * @start: where it begins, code or not
 * @end: address after the last of it
 * @entry: where the program is entered, where a library's code begins
 * @path: path of its file, "" for the program; gone after the callback
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

/* Call @take with each object that has code and a file, the program first. */
void profil_objects(void (*take)(const struct object *object, void *data),
		    void *data);

#endif
