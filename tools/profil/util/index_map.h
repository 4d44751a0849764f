/* SPDX-License-Identifier: GPL-2.0-only */
/* Hash tables of indices: of elements that are all different, and by keys */
#ifndef PROFIL_INDEX_MAP_H
#define PROFIL_INDEX_MAP_H

#include "util/base.h"

/*
 * Indices of elements that are all different, which are in an array of the caller. The
 * table is at most half full: @nr of @nr_slots are in use, a power of two, or 0.
 */
struct index_set {
	struct index_slot *slots;
	size_t nr_slots;
	size_t nr;
};

#define INDEX_NONE UINT32_MAX

/* The element with this index is the one that is looked for. */
typedef bool index_equal(const void *elements, uint32_t index,
			 const void *wanted);

/*
 * Index of the element that is equal to @wanted, whose hash is @hash; or @index, which is
 * added, if there is none: that of an element which the caller adds, too
 */
uint32_t profil_index_set_add(struct index_set *set, uint32_t hash,
			      uint32_t index, index_equal *is_equal,
			      const void *elements, const void *wanted);
void profil_index_set_free(struct index_set *set);

/* Key of an element; addresses of unique strings are words, too. */
struct index_key {
	uint64_t words[3];
};

/* Indices by keys, of which there are @nr. The others are private. */
struct index_map {
	struct index_entry *entries;
	size_t nr;
	struct index_set set;
};

/* Array of @nr indices, to be freed, each of them INDEX_NONE */
uint32_t *profil_indices(uint32_t nr);

/* FNV-1a of @data behind other data, whose hash is @hash; HASH_EMPTY is that of none */
#define HASH_EMPTY 0xcbf29ce484222325ULL
uint64_t profil_hash(uint64_t hash, const void *data, size_t size);

/* Hash of @key */
uint32_t profil_index_hash(const struct index_key *key);

/* Index of @key, or INDEX_NONE */
uint32_t profil_index_map_find(const struct index_map *map,
			       struct index_key key);

/* Index of @key, which becomes @index if @map lacks it */
uint32_t profil_index_map_add(struct index_map *map, struct index_key key,
			      uint32_t index);

/* Set the index of @key, which @map may have already. */
void profil_index_map_set(struct index_map *map, struct index_key key,
			  uint32_t index);
void profil_index_map_free(struct index_map *map);

#endif
