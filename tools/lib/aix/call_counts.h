/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How often each function has been called, from wherever */
#ifndef PROFIL_LIB_CALL_COUNTS_H
#define PROFIL_LIB_CALL_COUNTS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct callee - a function
 * @self: an address in it; 0 for an empty slot
 * @count: calls
 */
struct callee {
	uint64_t self;
	uint64_t count;
};

/**
 * struct callees - the table of arcs, summed up by function
 * @slots: a hash table in a mapping of its own
 * @size: how many slots, a power of two
 */
struct callees {
	struct callee *slots;
	uint64_t size;
};

/* Sum up: 0 or -ENOMEM. */
int profil_callees_take(struct callees *callees);
void profil_callees_free(struct callees *callees);

#endif
