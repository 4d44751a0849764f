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

static const char *missing(int advice)
{
	char *page = new_pages(page_size());
	int error = page && !madvise(page, page_size(), advice) ? 0 : errno;

	if (page)
		munmap(page, page_size());
	return error == EINVAL ? "madvise() does not know it" : NULL;
}

#define MISSING(name)                           \
	static const char *missing_##name(void) \
	{                                       \
		return missing(MADV_##name);    \
	}

MISSING(MERGEABLE)
MISSING(HUGEPAGE)
MISSING(PAGEOUT)
MISSING(POPULATE_WRITE)
MISSING(DONTNEED_LOCKED)

/* The kernel refuses memory without any page by EINVAL, too. */
static const char *missing_COLLAPSE(void)
{
	char *pages = new_huge(HUGE_BYTES);

	if (!pages)
		return missing_HUGEPAGE();
	pages[0] = 1;
	if (madvise(pages, HUGE_BYTES, MADV_COLLAPSE) && errno == EINVAL)
		return "madvise() does not know it";
	munmap(pages, HUGE_BYTES);
	return NULL;
}

#define ADVICE(name, run, weight, missing)                        \
	{                                                         \
		"MADV_" #name, run, weight, missing, MADV_##name, \
			.mapped = true                            \
	}

static const struct operation list[] = {
	ADVICE(DONTNEED, run_zero, 4, NULL),
	ADVICE(DONTNEED_LOCKED, run_zero, 1, missing_DONTNEED_LOCKED),
	ADVICE(FREE, run_zero, 3, NULL),
	ADVICE(REMOVE, run_zero, 2, NULL),
	ADVICE(DONTFORK, run_dont_fork, 6, NULL),
	ADVICE(DOFORK, run_keep, 1, NULL),
	ADVICE(WIPEONFORK, run_wipe_on_fork, 2, NULL),
	ADVICE(KEEPONFORK, run_keep, 1, NULL),
	ADVICE(PAGEOUT, run_keep, 4, missing_PAGEOUT),
	ADVICE(COLD, run_keep, 2, missing_PAGEOUT),
	ADVICE(MERGEABLE, run_keep, 2, missing_MERGEABLE),
	ADVICE(UNMERGEABLE, run_keep, 1, missing_MERGEABLE),
	ADVICE(HUGEPAGE, run_keep, 1, missing_HUGEPAGE),
	ADVICE(NOHUGEPAGE, run_keep, 1, missing_HUGEPAGE),
	ADVICE(COLLAPSE, run_keep, 2, missing_COLLAPSE),
	ADVICE(POPULATE_WRITE, run_keep, 1, missing_POPULATE_WRITE),
};

const struct operations advice_operations = { list, ARRAY_LENGTH(list) };
