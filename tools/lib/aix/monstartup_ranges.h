/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranges of monstartup(), with counters that the library maps */
#ifndef PROFIL_LIB_MONSTARTUP_RANGES_H
#define PROFIL_LIB_MONSTARTUP_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "mon/mon.h"

/**
 * struct monstartup_ranges - ranges and their counters, in two mappings
 * @array: the ranges, for monitor()
 * @nr: number of ranges
 * @room: number of ranges that fit in @array
 * @counters: counters of all ranges, after the room for calls
 * @size: bytes at @counters
 */
struct monstartup_ranges {
	struct prof *array;
	uint32_t nr;
	uint32_t room;
	void *counters;
	size_t size;
};

/*
 * Fill @space, which is zero, with ranges: _one() with the range from @low up
 * to @high, _frags() with the ranges of @frags up to a p_high of 0, _all() with
 * the ranges of the program and of each library. Return 0, -errno or a value of
 * enum monitor_error.
 */
int profil_monstartup_ranges_one(struct monstartup_ranges *space,
				 unsigned long low, unsigned long high);
int profil_monstartup_ranges_frags(struct monstartup_ranges *space,
				   const struct frag *frags);
int profil_monstartup_ranges_all(struct monstartup_ranges *space);

/* Map the counters, one per 4 bytes of text, after @front bytes; same errors. */
int profil_monstartup_ranges_fill(struct monstartup_ranges *space,
				  size_t front);

/* The array is needed until a profile starts, the counters until it ends. */
void profil_monstartup_ranges_free_array(struct monstartup_ranges *space);
void profil_monstartup_ranges_free(struct monstartup_ranges *space);

#endif
