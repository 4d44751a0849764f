/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_INDEX_MAP_H
#define PROFIL_INDEX_MAP_H

#include "util/base.h"

/* Key of an element; addresses of unique strings are words, too. */
struct index_key {
	uint64_t words[3];
};

/*
 * Hash table from keys to indices, at most half full: @nr of @nr_slots are in use, which
 * is a power of two, or 0. A free slot has the index INDEX_NONE
 */
struct index_map {
	struct index_slot *slots;
	size_t nr_slots;
	size_t nr;
};

#define INDEX_NONE UINT32_MAX

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
