// SPDX-License-Identifier: GPL-2.0-only
/* Maps: ranges of memory for the code of a profile */
#include "export/maps.h"

#define PAGE 4096ULL

/* Where systems load programs and libraries at no address below or near */
#define FIRST_ADDRESS 0x100000000000ULL

/*
 * The maps while they are made. @first: index of the first segment of each object;
 * @next: that of the next one of the same object. @free: lowest address that is not in
 * use. @bias: address in memory minus link-time address of the last object
 */
struct maker {
	const struct profile *profile;
	struct export_maps *maps;
	uint32_t *first;
	uint32_t *next;
	uint64_t free;
	uint64_t bias;
};

static uint64_t page_of(uint64_t address)
{
	return address & ~(PAGE - 1);
}

static void link_segments(struct maker *maker)
{
	const struct profile *profile = maker->profile;

	maker->first = profil_indices(profile->nr_objects);
	maker->next = profil_indices(profile->nr_segments);
	for (uint32_t i = profile->nr_segments; i-- > 0;) {
		uint32_t *first = &maker->first[profile->segments[i].object];

		maker->next[i] = *first;
		*first = i;
	}
}

/* The file is not trusted: sums of the numbers must not overflow. */
static bool is_valid(const struct profile_segment *segment)
{
	return segment->size <= FIRST_ADDRESS && segment->offset <= INT64_MAX &&
	       segment->address <= INT64_MAX;
}

/* Segment with this place, or NULL */
static const struct profile_segment *
segment_of(const struct maker *maker, const struct profile_place *place)
{
	uint32_t i = maker->first[place->object];

	for (; i != PROFILE_NONE; i = maker->next[i]) {
		const struct profile_segment *it = &maker->profile->segments[i];

		if (is_valid(it) && place->offset - it->offset < it->size)
			return it;
	}
	return NULL;
}

/* The map of the last place, if that is in the same object */
static struct export_map *last_of(const struct maker *maker, uint32_t object)
{
	struct export_maps *maps = maker->maps;

	if (!maps->nr || maps->maps[maps->nr - 1].object != object)
		return NULL;
	return &maps->maps[maps->nr - 1];
}

/* Choose the address of an object by the lowest of its addresses in use. */
static void choose_bias(struct maker *maker, uint32_t object, uint64_t lowest)
{
	const struct profile_object *it = &maker->profile->objects[object];

	if (last_of(maker, object))
		return;
	maker->bias = 0;
	if (it->kind == PROFILE_FILE && it->is_relocatable)
		maker->bias = maker->free - page_of(lowest);
}

static void add_segment(struct maker *maker,
			const struct profile_segment *segment)
{
	uint64_t below = segment->address % PAGE;
	struct export_map map = { .object = segment->object };

	choose_bias(maker, segment->object, segment->address);
	map.start = maker->bias + segment->address - below;
	map.offset = page_of(segment->offset);
	map.size = page_of(below + segment->size + PAGE - 1);
	ARRAY_ADD(maker->maps->maps, maker->maps->nr, map);
}

/* A place in no segment has the map of its page. */
static void add_page(struct maker *maker, const struct profile_place *place)
{
	bool is_file = maker->profile->objects[place->object].kind ==
		       PROFILE_FILE;
	uint64_t address = is_file ? place->address : place->offset;
	struct export_map map = { .object = place->object, .size = PAGE };

	choose_bias(maker, place->object, address);
	map.start = maker->bias + page_of(address);
	if (is_file)
		map.offset = page_of(place->offset);
	ARRAY_ADD(maker->maps->maps, maker->maps->nr, map);
}

/* The last map has @place. */
static bool is_in_last(const struct maker *maker,
		       const struct profile_place *place)
{
	const struct export_map *last = last_of(maker, place->object);
	bool is_file = maker->profile->objects[place->object].kind ==
		       PROFILE_FILE;

	if (!last)
		return false;
	return place->offset - (is_file ? last->offset : last->start) <
	       last->size;
}

static void map_place(struct maker *maker, uint32_t index)
{
	const struct profile_place *place = &maker->profile->places[index];
	const struct profile_segment *segment = segment_of(maker, place);
	struct export_maps *maps = maker->maps;

	if (!is_in_last(maker, place)) {
		if (segment)
			add_segment(maker, segment);
		else
			add_page(maker, place);
	}
	maps->of_place[index] = maps->nr - 1;
	if (maker->bias)
		maker->free = page_of(maps->maps[maps->nr - 1].start +
				      maps->maps[maps->nr - 1].size + PAGE);
}

static int by_object(const void *a, const void *b, void *data)
{
	const struct profile_place *places = data;
	const struct place_use *one = a, *other = b;
	const struct profile_place *x = &places[one->place];
	const struct profile_place *y = &places[other->place];

	return compare_numbers(x->object, y->object)	     ?:
		       compare_numbers(x->offset, y->offset) ?:
		       compare_numbers(one->place, other->place);
}

void profil_export_maps_make(struct export_maps *maps,
			     const struct profile *profile,
			     const struct leaves *leaves)
{
	uint32_t nr;
	struct place_use *uses = profil_leaves_uses(leaves, profile, &nr);
	struct maker maker = {
		.profile = profile,
		.maps = maps,
		.free = FIRST_ADDRESS,
	};

	*maps = (struct export_maps){
		.of_place = profil_indices(profile->nr_places),
	};
	link_segments(&maker);
	if (nr)
		qsort_r(uses, nr, sizeof(*uses), by_object, profile->places);
	for (uint32_t i = 0; i < nr; i++)
		map_place(&maker, uses[i].place);
	free(uses);
	free(maker.first);
	free(maker.next);
}

void profil_export_maps_free(struct export_maps *maps)
{
	free(maps->maps);
	free(maps->of_place);
}

uint64_t profil_export_maps_address(const struct export_maps *maps,
				    const struct profile *profile,
				    uint32_t place)
{
	const struct profile_place *it = &profile->places[place];
	const struct export_map *map = &maps->maps[maps->of_place[place]];

	if (profile->objects[it->object].kind != PROFILE_FILE)
		return it->offset;
	return map->start + (it->offset - map->offset);
}
