// SPDX-License-Identifier: GPL-2.0-only
/* Changes of mappings */
#include "torture.h"

static int map_kind(struct actor *actor, enum kind kind)
{
	struct slot *slot = actor_slot(actor);
	size_t pages = draw_one_in(&actor->random, 3) ?
			       SLOT_PAGES_MAX :
			       1 + draw_below(&actor->random, 8);

	return slot_map(slot, kind, pages * page_size());
}

static int run_map(struct actor *actor)
{
	return map_kind(actor, actor->argument);
}

/* A kind of private memory, or the next one, which is shared: once in three times */
static int run_map_file(struct actor *actor)
{
	return map_kind(actor,
			actor->argument + draw_one_in(&actor->random, 3));
}

/* Unmap a slot, counters or not; memory that is mapped there is a canary. */
static int run_unmap(struct actor *actor)
{
	struct slot *slot = actor_slot(actor);
	size_t bytes = slot->bytes;
	int error = slot_unmap(slot);

	if (!error && bytes && !draw_one_in(&actor->random, 4))
		error = slot_map(slot, ANONYMOUS, SLOT_PAGES_MAX * page_size());
	use_cpu(&actor->random);
	slot_check(slot);
	return error;
}

/* Pages of a slot, from @at on */
static size_t draw_pages(struct actor *actor, const struct slot *slot,
			 char **at)
{
	size_t page = page_size(), nr = slot->bytes / page;
	size_t first = draw_below(&actor->random, nr);

	*at = slot->at + first * page;
	return (1 + draw_below(&actor->random, nr - first)) * page;
}

/* Map other memory over some pages of a slot. */
static int run_patch(struct actor *actor)
{
	struct slot *slot = actor->slot;
	size_t bytes;
	char *at;
	int error;

	if (slot->kind == HUGETLB || slot->kind == SHARED_HUGETLB)
		return -ENOENT;
	bytes = draw_pages(actor, slot, &at);
	slot_check(slot);
	slot_yield(slot);
	error = slot_patch(slot, at, bytes);
	use_cpu(&actor->random);
	slot_check(slot);
	return error;
}

static int run_move(struct actor *actor)
{
	struct slot *slot = actor->slot;
	char *from, *to;

	from = slot->at;
	slot_check(slot);
	slot_yield(slot);
	slot->patch.bytes = 0;
	to = mremap(from, slot->bytes, slot->bytes,
		    MREMAP_MAYMOVE | MREMAP_FIXED,
		    slot->at == slot->window ? slot->window + WINDOW / 2 :
					       slot->window);
	if (to == MAP_FAILED)
		return -errno; /* no canary until it is mapped again */
	/* Counters that have moved are counters no more. */
	slot->at = to;
	slot->patch.bytes = 0;
	slot->hole.bytes = 0;
	slot->covered = false;
	slot_poison(slot);
	if (draw_one_in(&actor->random, 2))
		slot_patch(slot, from, page_size());
	use_cpu(&actor->random);
	slot_check(slot);
	return 0;
}

static int run_shrink(struct actor *actor)
{
	struct slot *slot = actor->slot;
	size_t less;

	if (slot->bytes < 2 * page_size())
		return -ENOENT;
	less = slot->bytes / 2 & -page_size();
	slot_check(slot);
	slot->patch.bytes = 0;
	if (mremap(slot->at, slot->bytes, less, 0) == MAP_FAILED)
		return -errno;
	slot->bytes = less;
	return slot_patch(slot, slot->at + less, page_size());
}

static int protect(struct slot *slot, int protection)
{
	return mprotect(slot->at, slot->bytes, protection) ? -errno : 0;
}

static int run_protect(struct actor *actor)
{
	struct slot *slot = actor->slot;
	int error;

	error = protect(slot,
			draw_one_in(&actor->random, 3) ? PROT_NONE : PROT_READ);
	use_cpu(&actor->random);
	if (!error)
		error = protect(slot, PROT_READ | PROT_WRITE);
	return error;
}

/* Map a memfd, unless the slot is one. */
static int need_memfd(struct slot *slot)
{
	return slot->file >= 0 ? 0 : slot_map(slot, MEMFD, 8 * page_size());
}

/* Cut the file off under its mapping, and let it grow again. */
static int run_truncate(struct actor *actor)
{
	struct slot *slot = actor_slot(actor);
	int error = need_memfd(slot);

	if (error)
		return error;
	slot_yield(slot);
	if (ftruncate(slot->file, (off_t)page_size()))
		error = -errno;
	use_cpu(&actor->random);
	if (ftruncate(slot->file, (off_t)slot->bytes))
		error = -errno;
	if (!slot->covered)
		slot_poison(slot);
	return error;
}

static int run_punch(struct actor *actor)
{
	struct slot *slot = actor_slot(actor);
	int error = need_memfd(slot);

	if (error)
		return error;
	slot->zeros = true;
	return fallocate(slot->file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			 0, (off_t)slot->bytes) ?
		       -errno :
		       0;
}

static int run_lock(struct actor *actor)
{
	struct slot *slot = actor->slot;
	int error = 0;

	if (mlock2(slot->at, slot->bytes,
		   draw_one_in(&actor->random, 2) ? MLOCK_ONFAULT : 0))
		error = -errno;
	use_cpu(&actor->random);
	munlock(slot->at, slot->bytes);
	return error;
}

/* The program writes counters while the driver does. */
static int run_zero(struct actor *actor)
{
	struct slot *slot = actor->slot;

	if (!slot->covered)
		return -ENOENT;
	if (slot->kind == FUSE_SHARED || slot->kind == EXT4_SHARED)
		return -ENOENT;
	slot_yield(slot);
	slot->patch.bytes = 0;
	return guard_fill(slot->at, 0, slot->bytes) ? 0 : -EFAULT;
}

static const struct operation list[] = {
	{ "mmap anonymous", run_map, 8, ANONYMOUS },
	{ "mmap shared", run_map, 3, SHARED_ANONYMOUS },
	{ "mmap memfd", run_map, 4, MEMFD },
	{ "mmap huge", run_map, 1, HUGE },
	{ "mmap hugetlb", run_map_file, 1, HUGETLB },
	{ "mmap FUSE", run_map_file, 2, FUSE_PRIVATE },
	{ "mmap ext4", run_map_file, 2, EXT4_PRIVATE },
	{ "munmap", run_unmap, 8 },
	{ "mmap over a part", run_patch, 6, .mapped = true },
	{ "mremap, moved", run_move, 5, .mapped = true },
	{ "mremap, shrunk", run_shrink, 3, .mapped = true },
	{ "mprotect", run_protect, 5, .mapped = true },
	{ "ftruncate", run_truncate, 4 },
	{ "punch a hole", run_punch, 3 },
	{ "mlock", run_lock, 2, .mapped = true },
	{ "write counters", run_zero, 4, .mapped = true },
};

const struct operations memory_operations = { list, ARRAY_LENGTH(list) };
