// SPDX-License-Identifier: GPL-2.0-only
/* Hash tables of indices */
#include "util/index_map.h"

uint32_t *profil_indices(uint32_t nr)
{
	uint32_t *array = profil_grow(NULL, nr + 1ULL, sizeof(*array));

	memset(array, 0xff, nr * sizeof(*array));
	return array;
}

/* Element of a table: a free slot has the index INDEX_NONE. */
struct index_slot {
	uint32_t hash;
	uint32_t index;
};

/* Slot of the element, or the free slot where it belongs; NULL for @is_equal: a new one */
static struct index_slot *slot_of(const struct index_set *set, uint32_t hash,
				  index_equal *is_equal, const void *elements,
				  const void *wanted)
{
	struct index_slot *slot = &set->slots[hash & (set->nr_slots - 1)];

	while (slot->index != INDEX_NONE &&
	       (slot->hash != hash || !is_equal ||
		!is_equal(elements, slot->index, wanted)))
		if (++slot == set->slots + set->nr_slots)
			slot = set->slots;
	return slot;
}

static void widen(struct index_set *set)
{
	struct index_set old = *set;

	set->nr_slots = old.nr_slots ? 2 * old.nr_slots : 64;
	set->slots = profil_grow(NULL, set->nr_slots, sizeof(*set->slots));
	memset(set->slots, 0xff, set->nr_slots * sizeof(*set->slots));
	for (size_t i = 0; i < old.nr_slots; i++)
		if (old.slots[i].index != INDEX_NONE)
			*slot_of(set, old.slots[i].hash, NULL, NULL, NULL) =
				old.slots[i];
	free(old.slots);
}

uint32_t profil_index_set_add(struct index_set *set, uint32_t hash,
			      uint32_t index, index_equal *is_equal,
			      const void *elements, const void *wanted)
{
	struct index_slot *slot;

	if (2 * set->nr >= set->nr_slots)
		widen(set);
	slot = slot_of(set, hash, is_equal, elements, wanted);
	if (slot->index == INDEX_NONE) {
		*slot = (struct index_slot){ hash, index };
		set->nr++;
	}
	return slot->index;
}

void profil_index_set_free(struct index_set *set)
{
	free(set->slots);
	*set = (struct index_set){ 0 };
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

/* A key of a map with its index; the set has the number of the entry. */
struct index_entry {
	struct index_key key;
	uint32_t index;
};

static bool has_key(const void *entries, uint32_t index, const void *key)
{
	const struct index_entry *entry = entries;

	return !memcmp(&entry[index].key, key, sizeof(entry->key));
}

uint32_t profil_index_map_find(const struct index_map *map,
			       struct index_key key)
{
	uint32_t entry = INDEX_NONE;

	if (map->nr)
		entry = slot_of(&map->set, profil_index_hash(&key), has_key,
				map->entries, &key)
				->index;
	return entry == INDEX_NONE ? INDEX_NONE : map->entries[entry].index;
}

/* Where the index of @key is; @index if @key is new */
static uint32_t *index_of(struct index_map *map, struct index_key key,
			  uint32_t index)
{
	uint32_t entry = profil_index_set_add(&map->set,
					      profil_index_hash(&key), map->nr,
					      has_key, map->entries, &key);

	if (entry == map->nr)
		ARRAY_ADD(map->entries, map->nr,
			  (struct index_entry){ key, index });
	return &map->entries[entry].index;
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
	free(map->entries);
	profil_index_set_free(&map->set);
	*map = (struct index_map){ 0 };
}
