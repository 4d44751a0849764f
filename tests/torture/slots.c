// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

#include "fuse.h"

/* Below the addresses that mmap() chooses, on every architecture */
#define WINDOWS 0x2000000000UL

struct slot slots[ROWS][SLOTS];

/* The canaries of all rows, as this thread has seen them before its fork */
static __thread unsigned int seen[ROWS * SLOTS];

static size_t number_of(const struct slot *slot)
{
	return (size_t)(slot - slots[0]);
}

static bool kind_is_shared(enum kind kind)
{
	return kind == SHARED_ANONYMOUS || kind == MEMFD ||
	       kind == SHARED_HUGETLB || kind == FUSE_SHARED ||
	       kind == EXT4_SHARED;
}

void slots_begin(void)
{
	struct slot *slot;

	for (slot = slots[0]; slot < slots[ROWS]; slot++) {
		slot->window = (char *)WINDOWS + WINDOW * number_of(slot);
		slot->at = slot->window;
		slot->file = -1;
	}
}

static int new_memfd(size_t bytes)
{
	int file = memfd_create("slot", MFD_CLOEXEC);

	if (file >= 0 && ftruncate(file, (off_t)bytes)) {
		close(file);
		return -1;
	}
	return file;
}

static int open_kind(enum kind kind, size_t bytes)
{
	switch (kind) {
	case MEMFD:
		return new_memfd(bytes);
	case FUSE_PRIVATE:
	case FUSE_SHARED:
		return open(FUSE_FILE, O_RDWR | O_CLOEXEC);
	case EXT4_PRIVATE:
	case EXT4_SHARED:
		return open(EXT4_FILE, O_RDWR | O_CLOEXEC);
	default:
		return -1;
	}
}

static int flags_of(enum kind kind)
{
	int flags = MAP_FIXED | MAP_NORESERVE;

	flags |= kind_is_shared(kind) ? MAP_SHARED : MAP_PRIVATE;
	if (kind == HUGETLB || kind == SHARED_HUGETLB)
		flags |= MAP_HUGETLB;
	if (kind <= SHARED_HUGETLB && kind != MEMFD)
		flags |= MAP_ANONYMOUS;
	return flags;
}

/* Shared files are mapped, but not written: all processes have the same. */
static bool may_be_written(enum kind kind)
{
	return kind != FUSE_SHARED && kind != EXT4_SHARED;
}

static int map_file(struct slot *slot, int file)
{
	void *at = mmap(slot->window, slot->bytes, PROT_READ | PROT_WRITE,
			flags_of(slot->kind), file, 0);
	int error = at == MAP_FAILED ? -errno : 0;

	if (!error && slot->kind == HUGE)
		madvise(at, slot->bytes, MADV_HUGEPAGE);
	if (slot->kind == MEMFD && !error)
		slot->file = file;
	else if (file >= 0)
		close(file);
	return error;
}

int slot_map(struct slot *slot, enum kind kind, size_t bytes)
{
	int error = slot_unmap(slot), file = open_kind(kind, bytes);

	if (error)
		return error;
	if (file < 0 && !(flags_of(kind) & MAP_ANONYMOUS))
		return -errno;
	slot->kind = kind;
	slot->bytes = kind >= HUGE && kind <= SHARED_HUGETLB ? HUGE_BYTES :
							       bytes;
	error = map_file(slot, file);
	if (error)
		slot->bytes = 0;
	else
		slot_poison(slot);
	return error;
}

/* The whole mapping of @slot is about to be replaced. */
static void yield_all(struct slot *slot)
{
	slot_yield(slot);
	slot->patch.bytes = 0;
	slot->hole.bytes = 0;
	if (slot->file >= 0)
		close(slot->file);
	slot->file = -1;
}

/* The mapping of @slot has been replaced: what was known of it is void. */
static void forget(struct slot *slot)
{
	slot->zeros = false;
	slot->wipes = false;
	slot->counted = false;
	slot->covered = false;
}

int slot_unmap(struct slot *slot)
{
	slot_check(slot);
	yield_all(slot);
	if (munmap(slot->window, WINDOW))
		return -errno;
	slot->at = slot->window;
	slot->bytes = 0;
	forget(slot);
	return 0;
}

void slot_yield(struct slot *slot)
{
	slot->canary = 0;
}

void slot_give(struct slot *slot)
{
	slot_check(slot);
	slot_yield(slot);
	slot->patch.bytes = 0;
	slot->counted = true;
	slot->covered = true;
	if (may_be_written(slot->kind))
		guard_fill(slot->at, 0, slot->bytes);
}

void slot_poison(struct slot *slot)
{
	static _Atomic unsigned int last; /* of the canaries of this process */

	slot_yield(slot);
	slot->zeros = false;
	if (slot->counted && kind_is_shared(slot->kind))
		return;
	if (slot->bytes && may_be_written(slot->kind) &&
	    guard_fill(slot->at, POISON, slot->bytes))
		slot->canary = ++last;
}

/* A fork copies a patch with its size last. */
static void set_patch(struct slot *slot, char *at, size_t bytes)
{
	slot->patch.at = at;
	slot->patch.bytes = bytes;
}

int slot_patch(struct slot *slot, char *at, size_t bytes)
{
	char *new;

	slot->patch.bytes = 0;
	new = mmap(at, bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (new == MAP_FAILED)
		return -errno;
	if (!guard_fill(new, POISON, bytes))
		return -EFAULT;
	set_patch(slot, new, bytes);
	return 0;
}

static void fail_touched(const char *what, const struct slot *slot,
			 const void *found)
{
	static const char format[] =
		"process %d, slot %zu of kind %d%s%s, %s: %p is %#llx";

	board_fail(BYTES, format, getpid(), number_of(slot), slot->kind,
		   slot->counted ? ", counted" : "",
		   slot->wipes ? ", wiped on fork" : "", what, found,
		   *(const volatile __u64 *)found);
}

static void check(const char *what, const struct slot *slot, const char *at,
		  size_t bytes, bool zeros)
{
	const void *found = NULL;

	if (guard_check(at, bytes, zeros, &found) == TOUCHED)
		fail_touched(what, slot, found);
}

void slot_check(struct slot *slot)
{
	if (slot->patch.bytes)
		check("patch", slot, slot->patch.at, slot->patch.bytes, false);
	if (slot->bytes && slot->canary)
		check("canary", slot, slot->at, slot->bytes, slot->zeros);
}

void row_check(unsigned int row)
{
	for (unsigned int i = 0; i < SLOTS; i++)
		slot_check(&slots[row][i]);
}

void slots_check(void)
{
	for (unsigned int row = 0; row < ROWS; row++)
		row_check(row);
}

void row_uncover(unsigned int row)
{
	for (unsigned int i = 0; i < SLOTS; i++)
		slots[row][i].covered = false;
}

/* Map memory at @at, if none is there: a canary, which no session may count in. */
static bool fill_hole(struct slot *slot, char *at, size_t bytes)
{
	void *new;

	if (!bytes)
		return false;
	new = mmap(at, bytes, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (new == MAP_FAILED || !guard_fill(new, POISON, bytes))
		return false;
	set_patch(slot, new, bytes);
	return true;
}

void slots_before_fork(void)
{
	struct slot *slot;

	for (slot = slots[0]; slot < slots[ROWS]; slot++)
		seen[number_of(slot)] = slot->canary;
}

/*
 * Another thread may have been changing @slot during the fork: its fields may
 * disagree, and a mapping may be missing.
 */
static void inherit(struct slot *slot)
{
	bool whole;

	slot->file = -1;
	slot->zeros |= slot->wipes;
	if (kind_is_shared(slot->kind) || slot->canary != seen[number_of(slot)])
		slot_yield(slot);
	whole = slot->bytes && slot->bytes <= WINDOW / 2;
	if (fill_hole(slot, slot->at, whole ? slot->bytes : UNIT))
		slot_yield(slot);
	else if (fill_hole(slot, slot->hole.at, slot->hole.bytes))
		slot_yield(slot);
	slot->hole.bytes = 0;
}

void slots_inherit(void)
{
	struct slot *slot;

	for (slot = slots[0]; slot < slots[ROWS]; slot++)
		inherit(slot);
}

/*
 * Replace shared memory by private memory, without munmap(), which a filter of
 * system calls may refuse.
 */
static bool disown(struct slot *slot)
{
	if (!slot->bytes || !kind_is_shared(slot->kind))
		return true;
	yield_all(slot);
	if (mmap(slot->at, slot->bytes, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
		 0) == MAP_FAILED)
		return false;
	slot->kind = ANONYMOUS;
	forget(slot);
	slot_poison(slot);
	return true;
}

bool row_disown(unsigned int row)
{
	bool all = true;

	for (unsigned int i = 0; i < SLOTS; i++)
		all &= disown(&slots[row][i]);
	return all;
}
