// SPDX-License-Identifier: GPL-2.0-only
/* Strips: samples by address */
#include <math.h>
#include <string.h>

#include "html/strip.h"

/* Sets the places of the object; they follow each other. */
static void find_places(struct strip *strip, const struct profile *profile)
{
	uint32_t i = 0;

	while (i < profile->nr_places &&
	       profile->places[i].object != strip->object)
		i++;
	strip->first = i;
	while (i < profile->nr_places &&
	       profile->places[i].object == strip->object)
		i++;
	strip->end = i;
}

static void widen(uint64_t *low, uint64_t *high, uint64_t from, uint64_t size)
{
	uint64_t last = from + (size ? size - 1 : 0);

	if (from < *low)
		*low = from;
	if (last >= from && last > *high)
		*high = last;
}

/* Executable segments, and places that a malformed file has outside of them */
static void find_range(struct strip *strip, const struct profile *profile)
{
	uint64_t high = 0;

	strip->low = UINT64_MAX;
	for (uint32_t i = 0; i < profile->nr_segments; i++)
		if (profile->segments[i].object == strip->object)
			widen(&strip->low, &high, profile->segments[i].address,
			      profile->segments[i].size);
	for (uint32_t i = strip->first; i < strip->end; i++)
		widen(&strip->low, &high, profile->places[i].address, 1);
	strip->size = high - strip->low;
	strip->step = strip->size / STRIP_PARTS + 1;
	if (strip->size < UINT64_MAX)
		strip->size++;
}

/* Places are in the order of offsets, so those of a function are together. */
static void add_places(struct strip *strip, const struct profile *profile)
{
	const struct profile_place *last = NULL;
	struct strip_part *in = NULL;
	uint64_t together = 0;

	for (uint32_t i = strip->first; i < strip->end; i++) {
		const struct profile_place *place = &profile->places[i];
		uint64_t at = (place->address - strip->low) / strip->step;
		uint64_t samples = place->user + place->kernel;
		struct strip_part *part = &strip->parts[at];

		if (part != in || last->function != place->function)
			together = 0;
		together += samples;
		part->samples += samples;
		if (together > part->most) {
			part->most = together;
			part->function = place->function;
		}
		in = part;
		last = place;
	}
}

bool profil_strip_read(struct strip *strip, const struct profile *profile,
		       uint32_t object)
{
	memset(strip, 0, sizeof(*strip));
	strip->object = object;
	for (int i = 0; i < STRIP_PARTS; i++)
		strip->parts[i].function = PROFILE_NONE;
	find_places(strip, profile);
	if (strip->first == strip->end)
		return false;
	find_range(strip, profile);
	add_places(strip, profile);
	return true;
}

uint64_t profil_strip_most(const struct strip *strip)
{
	uint64_t most = 0;

	for (int i = 0; i < STRIP_PARTS; i++)
		if (strip->parts[i].samples > most)
			most = strip->parts[i].samples;
	return most;
}

uint64_t profil_strip_least(int level, uint64_t most)
{
	return ceil(pow(most, (level - 1.0) / STRIP_LEVELS));
}

int profil_strip_level(uint64_t samples, uint64_t most)
{
	int level = STRIP_LEVELS;

	while (level > 1 && samples < profil_strip_least(level, most))
		level--;
	return level;
}
