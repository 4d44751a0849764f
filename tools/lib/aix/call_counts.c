// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>

#include "aix/call_counts.h"
#include "core/pages.h"
#include "gprof/mcount/arcs.h"

static int count_arc(const struct gmon_arc *arc, void *data)
{
	(void)arc;
	++*(uint64_t *)data;
	return 0;
}

/* Slot of the function, or a free slot for it */
static struct call_count *find(const struct call_counts *counts, uint64_t self)
{
	uint64_t i = self * 0x9e3779b97f4a7c15ULL >> 20;

	while (counts->slots[i & (counts->size - 1)].self &&
	       counts->slots[i & (counts->size - 1)].self != self)
		i++;
	return &counts->slots[i & (counts->size - 1)];
}

/* New arcs since the counting may fill the table: @room is checked. */
struct summing {
	struct call_counts *counts;
	uint64_t room;
};

static int add_arc(const struct gmon_arc *arc, void *data)
{
	struct summing *summing = data;
	struct call_count *call_count = find(summing->counts, arc->self);

	if (!call_count->self && !summing->room--)
		return -EAGAIN;
	call_count->self = arc->self;
	call_count->count += arc->count;
	return 0;
}

static int map_slots(struct call_counts *counts)
{
	uint64_t arcs = 0;

	profil_arcs_each(count_arc, &arcs);
	counts->size = 64;
	while (counts->size < 4 * arcs)
		counts->size *= 2;
	counts->slots = profil_pages(counts->size * sizeof(*counts->slots));
	return counts->slots ? 0 : -ENOMEM;
}

int profil_call_counts_take(struct call_counts *counts)
{
	struct summing summing = { .counts = counts };
	int ret;

	do {
		ret = map_slots(counts);
		if (ret)
			return ret;
		summing.room = counts->size / 2;
		ret = profil_arcs_each(add_arc, &summing);
		if (ret)
			profil_call_counts_free(counts);
	} while (ret);
	return 0;
}

void profil_call_counts_free(struct call_counts *counts)
{
	if (counts->slots)
		munmap(counts->slots, counts->size * sizeof(*counts->slots));
	*counts = (struct call_counts){ 0 };
}
