// SPDX-License-Identifier: GPL-2.0-only
/* Hash table from keys to indices */
#include "util/index_map.h"

/* Element of the table */
struct index_slot {
	struct index_key key;
	uint32_t index;
};

uint32_t *profil_indices(uint32_t nr)
{
	uint32_t *array = profil_grow(NULL, nr + 1ULL, sizeof(*array));

	memset(array, 0xff, nr * sizeof(*array));
	return array;
}

uint64_t profil_hash(uint64_t hash, const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 0x100000001b3ULL;
	return hash;
}

uint32_t profil_index_hash(const struct index_key *key)
{
	uint64_t sum = 0;

	for (int i = 0; i < 3; i++) {
		sum = (sum ^ key->words[i]) * 0x9e3779b97f4a7c15ULL;
		sum ^= sum >> 32;
	}
	return sum;
}

/* Slot of @key, or the free slot where it belongs */
static struct index_slot *slot_of(const struct index_map *map,
				  const struct index_key *key)
{
	size_t at = profil_index_hash(key) & (map->nr_slots - 1);

	while (map->slots[at].index != INDEX_NONE &&
	       memcmp(&map->slots[at].key, key, sizeof(*key)))
		at = (at + 1) & (map->nr_slots - 1);
	return &map->slots[at];
}

static void widen(struct index_map *map)
{
	struct index_map old = *map;

	map->nr_slots = old.nr_slots ? 2 * old.nr_slots : 64;
	map->slots = profil_grow(NULL, map->nr_slots, sizeof(*map->slots));
	for (size_t i = 0; i < map->nr_slots; i++)
		map->slots[i].index = INDEX_NONE;
	for (size_t i = 0; i < old.nr_slots; i++)
		if (old.slots[i].index != INDEX_NONE)
			*slot_of(map, &old.slots[i].key) = old.slots[i];
	free(old.slots);
}

uint32_t profil_index_map_find(const struct index_map *map,
			       struct index_key key)
{
	return map->nr_slots ? slot_of(map, &key)->index : INDEX_NONE;
}

/* Where the index of @key is; @index if @key is new */
static uint32_t *index_of(struct index_map *map, struct index_key key,
			  uint32_t index)
{
	struct index_slot *slot;

	if (2 * map->nr >= map->nr_slots)
		widen(map);
	slot = slot_of(map, &key);
	if (slot->index == INDEX_NONE) {
		map->nr++;
		*slot = (struct index_slot){ key, index };
	}
	return &slot->index;
}

uint32_t profil_index_map_add(struct index_map *map, struct index_key key,
			      uint32_t index)
{
	return *index_of(map, key, index);
}

void profil_index_map_set(struct index_map *map, struct index_key key,
			  uint32_t index)
{
	*index_of(map, key, index) = index;
}

void profil_index_map_free(struct index_map *map)
{
	free(map->slots);
	*map = (struct index_map){ 0 };
}
