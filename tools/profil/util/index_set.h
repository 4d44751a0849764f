/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_INDEX_SET_H
#define PROFIL_INDEX_SET_H

#include "util/base.h"

/*
 * Hash table of the indices of elements that are all different, at most half full: @nr of
 * @nr_slots are in use, which is a power of two, or 0. The elements are in an array of
 * the caller, so that a slot is smaller than one of struct index_map.
 */
struct index_set {
	struct index_set_slot *slots;
	size_t nr_slots;
	size_t nr;
};

/* The elements with two indices are equal. */
typedef bool index_equal(const void *elements, uint32_t one, uint32_t other);

/*
 * Index of the element that is equal to the one with @index, whose hash is @hash; or
 * @index itself, which is added, if there is none
 */
uint32_t profil_index_set_add(struct index_set *set, uint32_t hash,
			      uint32_t index, index_equal *are_equal,
			      const void *elements);
void profil_index_set_free(struct index_set *set);

#endif
