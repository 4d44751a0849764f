// SPDX-License-Identifier: GPL-2.0-only
/* madvise() */
#include "torture.h"

/* Advice that the C library may not know */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

static int advise(struct actor *actor)
{
	struct slot *slot = actor->slot;
	int error = madvise(slot->at, slot->bytes, actor->argument) ? -errno :
								      0;

	if (draw_one_in(&actor->random, 2))
		use_cpu(&actor->random);
	return error;
}

/* Advice that keeps the contents */
static int run_keep(struct actor *actor)
{
	slot_check(actor->slot);
	return advise(actor);
}

/* Advice by which pages may become zero */
static int run_zero(struct actor *actor)
{
	slot_check(actor->slot);
	actor->slot->zeros = true;
	actor->slot->patch.bytes = 0;
	return advise(actor);
}

static int run_wipe_on_fork(struct actor *actor)
{
	struct slot *slot = actor->slot;

	slot->wipes = true;
	slot->patch.bytes = 0;
	return madvise(slot->at, slot->bytes, MADV_WIPEONFORK) ? -errno : 0;
}

/* All of a slot, or its first half, is not copied by fork. */
static int run_dont_fork(struct actor *actor)
{
	struct slot *slot = actor->slot;
	size_t bytes = slot->bytes;

	if (draw_one_in(&actor->random, 2) && bytes > page_size())
		bytes = bytes / 2 & -page_size();
	slot->hole = (struct patch){ slot->at, bytes };
	return madvise(slot->at, bytes, MADV_DONTFORK) ? -errno : 0;
}

#define ADVICE(name, run, weight)                                       \
	{                                                               \
		"MADV_" #name, run, weight, MADV_##name, .mapped = true \
	}

static const struct operation list[] = {
	ADVICE(DONTNEED, run_zero, 4),
	ADVICE(DONTNEED_LOCKED, run_zero, 1),
	ADVICE(FREE, run_zero, 3),
	ADVICE(REMOVE, run_zero, 2),
	ADVICE(DONTFORK, run_dont_fork, 6),
	ADVICE(DOFORK, run_keep, 1),
	ADVICE(WIPEONFORK, run_wipe_on_fork, 2),
	ADVICE(KEEPONFORK, run_keep, 1),
	ADVICE(PAGEOUT, run_keep, 4),
	ADVICE(COLD, run_keep, 2),
	ADVICE(MERGEABLE, run_keep, 2),
	ADVICE(UNMERGEABLE, run_keep, 1),
	ADVICE(HUGEPAGE, run_keep, 1),
	ADVICE(NOHUGEPAGE, run_keep, 1),
	ADVICE(COLLAPSE, run_keep, 2),
	ADVICE(POPULATE_WRITE, run_keep, 1),
};

const struct operations advice_operations = { list, ARRAY_LENGTH(list) };
