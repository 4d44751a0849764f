// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <sys/mman.h>

#include "aix/call_counts.h"
#include "gprof/mcount/arcs.h"

static int count_arc(const struct gmon_arc *arc, void *data)
{
	(void)arc;
	++*(uint64_t *)data;
	return 0;
}

/* The slot of a function, which is there or has room */
static struct callee *find(const struct callees *callees, uint64_t self)
{
	uint64_t i = self * 0x9e3779b97f4a7c15ULL >> 20;

	while (callees->slots[i & (callees->size - 1)].self &&
	       callees->slots[i & (callees->size - 1)].self != self)
		i++;
	return &callees->slots[i & (callees->size - 1)];
}

/* Arcs that are new since they were counted may find the table too full. */
struct filling {
	struct callees *callees;
	uint64_t room;
};

static int add_arc(const struct gmon_arc *arc, void *data)
{
	struct filling *filling = data;
	struct callee *callee = find(filling->callees, arc->self);

	if (!callee->self && !filling->room--)
		return -EAGAIN;
	callee->self = arc->self;
	callee->count += arc->count;
	return 0;
}

static int map_slots(struct callees *callees)
{
	uint64_t arcs = 0;

	profil_arcs_each(count_arc, &arcs);
	callees->size = 64;
	while (callees->size < 4 * arcs)
		callees->size *= 2;
	callees->slots = mmap(NULL, callees->size * sizeof(*callees->slots),
			      PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (callees->slots != MAP_FAILED)
		return 0;
	callees->slots = NULL;
	return -ENOMEM;
}

int profil_callees_take(struct callees *callees)
{
	struct filling filling = { .callees = callees };
	int ret;

	do {
		ret = map_slots(callees);
		if (ret)
			return ret;
		filling.room = callees->size / 2;
		ret = profil_arcs_each(add_arc, &filling);
		if (ret)
			profil_callees_free(callees);
	} while (ret);
	return 0;
}

void profil_callees_free(struct callees *callees)
{
	if (callees->slots)
		munmap(callees->slots, callees->size * sizeof(*callees->slots));
	*callees = (struct callees){ 0 };
}
