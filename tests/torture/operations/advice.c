// SPDX-License-Identifier: GPL-2.0-only
/* madvise() */
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "operations.h"
#include "sessions.h"

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

/* Advise the kernel on a slot; @zeros if pages may become zero. */
static int advise(struct actor *actor, int advice, bool zeros)
{
	struct slot *slot = actor_slot(actor);
	int error;

	if (!slot->bytes)
		return -ENOENT;
	slot_check(slot);
	if (zeros) {
		slot->zeros = true;
		slot->patch.bytes = 0;
	}
	error = madvise(slot->at, slot->bytes, advice) ? -errno : 0;
	if (draw_one_in(&actor->random, 2))
		use_cpu(&actor->random);
	return error;
}

/* An operation for each advice */
#define ADVICE(name, zeros)                                 \
	static int run_##name(struct actor *actor)          \
	{                                                   \
		return advise(actor, MADV_##name, (zeros)); \
	}

ADVICE(DONTNEED, true)
ADVICE(DONTNEED_LOCKED, true)
ADVICE(FREE, true)
ADVICE(REMOVE, true)
ADVICE(KEEPONFORK, false)
ADVICE(DOFORK, false)
ADVICE(PAGEOUT, false)
ADVICE(COLD, false)
ADVICE(MERGEABLE, false)
ADVICE(UNMERGEABLE, false)
ADVICE(HUGEPAGE, false)
ADVICE(NOHUGEPAGE, false)
ADVICE(COLLAPSE, false)
ADVICE(POPULATE_WRITE, false)

static int run_WIPEONFORK(struct actor *actor)
{
	struct slot *slot = actor_slot(actor);

	slot->wipes = true;
	slot->patch.bytes = 0;
	return madvise(slot->at, slot->bytes, MADV_WIPEONFORK) ? -errno : 0;
}

/* All of a slot, or its first half, is not copied by fork. */
static int run_DONTFORK(struct actor *actor)
{
	struct slot *slot = actor_slot(actor);
	size_t bytes = slot->bytes;

	if (!bytes)
		return -ENOENT;
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

static const char *missing_MERGEABLE(void)
{
	return missing(MADV_MERGEABLE);
}

static const char *missing_HUGEPAGE(void)
{
	return missing(MADV_HUGEPAGE);
}

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

static const char *missing_PAGEOUT(void)
{
	return missing(MADV_PAGEOUT);
}

static const char *missing_POPULATE_WRITE(void)
{
	return missing(MADV_POPULATE_WRITE);
}

static const char *missing_DONTNEED_LOCKED(void)
{
	return missing(MADV_DONTNEED_LOCKED);
}

static const struct operation list[] = {
	{ "MADV_DONTNEED", run_DONTNEED, 4, NULL },
	{ "MADV_DONTNEED_LOCKED", run_DONTNEED_LOCKED, 1,
	  missing_DONTNEED_LOCKED },
	{ "MADV_FREE", run_FREE, 3, NULL },
	{ "MADV_REMOVE", run_REMOVE, 2, NULL },
	{ "MADV_DONTFORK", run_DONTFORK, 6, NULL },
	{ "MADV_DOFORK", run_DOFORK, 1, NULL },
	{ "MADV_WIPEONFORK", run_WIPEONFORK, 2, NULL },
	{ "MADV_KEEPONFORK", run_KEEPONFORK, 1, NULL },
	{ "MADV_PAGEOUT", run_PAGEOUT, 4, missing_PAGEOUT },
	{ "MADV_COLD", run_COLD, 2, missing_PAGEOUT },
	{ "MADV_MERGEABLE", run_MERGEABLE, 2, missing_MERGEABLE },
	{ "MADV_UNMERGEABLE", run_UNMERGEABLE, 1, missing_MERGEABLE },
	{ "MADV_HUGEPAGE", run_HUGEPAGE, 1, missing_HUGEPAGE },
	{ "MADV_NOHUGEPAGE", run_NOHUGEPAGE, 1, missing_HUGEPAGE },
	{ "MADV_COLLAPSE", run_COLLAPSE, 2, missing_COLLAPSE },
	{ "MADV_POPULATE_WRITE", run_POPULATE_WRITE, 1,
	  missing_POPULATE_WRITE },
};

const struct operations advice_operations = { list, ARRAY_LENGTH(list) };
