// SPDX-License-Identifier: LGPL-2.1-or-later
#include <limits.h>
#include <string.h>

#include "aix/monitor_error.h"
#include "aix/monstartup_ranges.h"
#include "aix/ranges.h"
#include "core/objects.h"
#include "core/pages.h"
#include "core/user_copy.h"

static int make_room(struct monstartup_ranges *space, uint32_t room)
{
	space->array = profil_pages(room * sizeof(*space->array));
	if (!space->array)
		return MONITOR_NO_MEMORY;
	space->room = room;
	return 0;
}

/* Insert in ascending order, for monitor(); objects come in any order. */
static void insert(struct monstartup_ranges *space, uint64_t low, uint64_t high)
{
	struct prof *place = space->array + space->nr;

	if (space->nr == space->room)
		return;
	while (place > space->array && (uintptr_t)place[-1].p_low > low) {
		*place = place[-1];
		place--;
	}
	*place = (struct prof){
		.p_low = (char *)(uintptr_t)low,
		.p_high = (char *)(uintptr_t)high,
	};
	space->nr++;
}

int profil_monstartup_ranges_one(struct monstartup_ranges *space,
				 unsigned long low, unsigned long high)
{
	int ret = make_room(space, 1);

	if (!ret)
		insert(space, low, high);
	return ret;
}

/* The order is kept, so that monitor() can refuse a wrong one. */
int profil_monstartup_ranges_frags(struct monstartup_ranges *space,
				   const struct frag *frags)
{
	int ret = make_room(space, PROFIL_MAX_REGIONS / 2);
	struct frag frag;

	while (!ret) {
		if (profil_user_copy_from(&frag, frags++, sizeof(frag)))
			return MONITOR_NO_FRAGS;
		if (!frag.p_high)
			break;
		if (space->nr == space->room)
			return -E2BIG;
		space->array[space->nr++] = (struct prof){
			.p_low = frag.p_low,
			.p_high = frag.p_high,
		};
	}
	return ret;
}

static void take_object(const struct object *object, void *data)
{
	insert(data, object->low, object->high);
}

int profil_monstartup_ranges_all(struct monstartup_ranges *space)
{
	int ret = make_room(space, PROFIL_MAX_REGIONS / 2);

	if (!ret)
		profil_objects(take_object, space);
	return ret;
}

static int set_sizes(struct monstartup_ranges *space, size_t front)
{
	for (uint32_t i = 0; i < space->nr; i++) {
		struct prof *prof = &space->array[i];
		uint64_t bytes = prof->p_high - prof->p_low;
		uint64_t counters = NUM_HIST_COUNTERS(bytes);

		if (i == 0)
			counters += (front + HIST_COUNTER_SIZE - 1) /
				    HIST_COUNTER_SIZE;
		if (prof->p_high <= prof->p_low || bytes > INT_MAX ||
		    counters > INT_MAX / 4)
			return MONITOR_BAD_FRAG;
		prof->p_bufsize = counters;
		space->size += counters * HIST_COUNTER_SIZE;
	}
	return 0;
}

int profil_monstartup_ranges_fill(struct monstartup_ranges *space, size_t front)
{
	int ret = set_sizes(space, front);
	HISTCOUNTER *next;

	if (ret)
		return ret;
	space->counters = profil_pages(space->size ? space->size : 1);
	if (!space->counters)
		return MONITOR_NO_MEMORY;
	next = space->counters;
	for (uint32_t i = 0; i < space->nr; i++) {
		space->array[i].p_buff = next;
		next += space->array[i].p_bufsize;
	}
	return 0;
}

void profil_monstartup_ranges_free_array(struct monstartup_ranges *space)
{
	if (space->array)
		munmap(space->array, space->room * sizeof(*space->array));
	space->array = NULL;
}

void profil_monstartup_ranges_free(struct monstartup_ranges *space)
{
	profil_monstartup_ranges_free_array(space);
	if (space->counters)
		munmap(space->counters, space->size ? space->size : 1);
	memset(space, 0, sizeof(*space));
}
