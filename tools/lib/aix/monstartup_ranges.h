/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Ranges of text that monstartup() is given, with counters of the library's */
#ifndef PROFIL_LIB_MONSTARTUP_RANGES_H
#define PROFIL_LIB_MONSTARTUP_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "mon/mon.h"

/**
 * struct monstartup_ranges - the ranges and their counters, in two mappings
 * @array: the ranges, as monitor() takes them
 * @nr: how many
 * @room: for how many
 * @counters: the counters of all, with room for calls at the front
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
 * The ranges: the one from @low up to @high; those of @frags, which one with a
 * p_high of 0 ends; those of the program and of each library. 0, -errno, or
 * one of enum monitor_error. @space is zero before.
 */
int profil_monstartup_ranges_one(struct monstartup_ranges *space,
				 unsigned long low, unsigned long high);
int profil_monstartup_ranges_frags(struct monstartup_ranges *space,
				   const struct frag *frags);
int profil_monstartup_ranges_all(struct monstartup_ranges *space);

/* Counters for them, one for 4 bytes, behind @front bytes; as above */
int profil_monstartup_ranges_fill(struct monstartup_ranges *space,
				  size_t front);

/* The array is needed till a profile has begun, the counters till it ends. */
void profil_monstartup_ranges_free_array(struct monstartup_ranges *space);
void profil_monstartup_ranges_free(struct monstartup_ranges *space);

#endif
