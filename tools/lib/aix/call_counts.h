/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Number of calls of each function, from all callers */
#ifndef PROFIL_LIB_CALL_COUNTS_H
#define PROFIL_LIB_CALL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct call_count - a function
 * @self: an address in the function; 0 for an empty slot
 * @count: calls
 */
struct call_count {
	uint64_t self;
	uint64_t count;
};

/**
 * struct call_counts - the table of arcs, summed up by function
 * @slots: a hash table in a mapping of its own
 * @size: number of slots, a power of two
 */
struct call_counts {
	struct call_count *slots;
	uint64_t size;
};

/* Sum up the table of arcs: 0 or -ENOMEM. */
int profil_call_counts_take(struct call_counts *counts);
void profil_call_counts_free(struct call_counts *counts);

#endif
