// SPDX-License-Identifier: GPL-2.0-only
/* Hash table of the indices of elements that are all different */
#include "util/index_set.h"

/* Element of the table: a free slot has the index FREE. */
struct index_set_slot {
	uint32_t hash;
	uint32_t index;
};

#define FREE UINT32_MAX

static struct index_set_slot *next_of(const struct index_set *set,
				      struct index_set_slot *slot)
{
	return slot + 1 == set->slots + set->nr_slots ? set->slots : slot + 1;
}

static struct index_set_slot *first_of(const struct index_set *set,
				       uint32_t hash)
{
	return &set->slots[hash & (set->nr_slots - 1)];
}

static void widen(struct index_set *set)
{
	struct index_set old = *set;

	set->nr_slots = old.nr_slots ? 2 * old.nr_slots : 64;
	set->slots = profil_grow(NULL, set->nr_slots, sizeof(*set->slots));
	memset(set->slots, 0xff, set->nr_slots * sizeof(*set->slots));
	for (size_t i = 0; i < old.nr_slots; i++) {
		struct index_set_slot *slot;

		if (old.slots[i].index == FREE)
			continue;
		slot = first_of(set, old.slots[i].hash);
		while (slot->index != FREE)
			slot = next_of(set, slot);
		*slot = old.slots[i];
	}
	free(old.slots);
}

uint32_t profil_index_set_add(struct index_set *set, uint32_t hash,
			      uint32_t index, index_equal *are_equal,
			      const void *elements)
{
	struct index_set_slot *slot;

	if (2 * set->nr >= set->nr_slots)
		widen(set);
	slot = first_of(set, hash);
	while (slot->index != FREE &&
	       (slot->hash != hash || !are_equal(elements, slot->index, index)))
		slot = next_of(set, slot);
	if (slot->index != FREE)
		return slot->index;
	*slot = (struct index_set_slot){ hash, index };
	set->nr++;
	return index;
}

void profil_index_set_free(struct index_set *set)
{
	free(set->slots);
	*set = (struct index_set){ 0 };
}
