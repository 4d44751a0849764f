// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The table is a row of segments of slots, each segment four times as large as
 * the one before it. The hash of an arc selects WINDOW slots in each segment. A
 * slot is taken once and never released, so no arc ever moves: an arc takes the
 * first free slot of its windows, unless it finds its own slot before that.
 *
 * A slot that another thread, or the code that a signal handler has interrupted,
 * is just taking may be for the same arc. Waiting could deadlock, so the arc
 * takes the next slot. The arc is in the table twice then, and its counts add up.
 *
 * MADV_WIPEONFORK wipes the memory in a forked child, and zero is an empty
 * segment. No handler is needed, so every way to make a child is covered.
 *
 * mcount() calls these functions while the arguments of its caller are still in
 * registers; the Makefile keeps the compiler from using the registers that the
 * assembly does not save. The system calls are bare for the same reason.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/arcs.h"

#define SEGMENTS 10
#define FIRST_BITS 14
#define WINDOW 8

enum { FREE, TAKEN, READY };

struct slot {
	_Atomic uint64_t state;
	uint64_t from;
	uint64_t self;
	_Atomic uint64_t count;
};

static struct slot *_Atomic segments[SEGMENTS];
static atomic_bool on;
static _Atomic uint64_t lost;
static void (*_Atomic watcher)(void);

static uint64_t slots_of(int segment)
{
	return 1ULL << (FIRST_BITS + 2 * segment);
}

static struct slot *map_slots(size_t size)
{
	const int access = PROT_READ | PROT_WRITE;
	const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	long at = syscall(SYS_mmap, NULL, size, access, kind, -1, 0);

	if (at == -1)
		return NULL;
	syscall(SYS_madvise, at, size, MADV_WIPEONFORK);
	return (struct slot *)at;
}

/* A thread that loses the race uses the segment of the winner. */
static struct slot *make_segment(int segment)
{
	size_t size = slots_of(segment) * sizeof(struct slot);
	struct slot *none = NULL;
	int saved = errno;
	struct slot *made = map_slots(size);

	if (made &&
	    !atomic_compare_exchange_strong(&segments[segment], &none, made)) {
		syscall(SYS_munmap, made, size);
		made = none;
	}
	errno = saved;
	return made;
}

static struct slot *get_segment(int segment)
{
	struct slot *slots =
		atomic_load_explicit(&segments[segment], memory_order_acquire);

	return slots ? slots : make_segment(segment);
}

static uint64_t hash(uint64_t from, uint64_t self)
{
	uint64_t key = (from ^ self << 20 ^ self >> 44) * 0x9e3779b97f4a7c15ULL;

	return key ^ key >> 32;
}

/* Whether @slot, in the state @seen, is the arc's; a free one is taken. */
static bool is_mine(struct slot *slot, uint64_t seen, uint64_t from,
		    uint64_t self)
{
	if (seen == FREE &&
	    atomic_compare_exchange_strong(&slot->state, &seen, TAKEN)) {
		slot->from = from;
		slot->self = self;
		atomic_store_explicit(&slot->state, READY,
				      memory_order_release);
		return true;
	}
	return seen == READY && slot->from == from && slot->self == self;
}

static struct slot *find(int segment, uint64_t key, uint64_t from,
			 uint64_t self)
{
	struct slot *slots = get_segment(segment);
	uint64_t mask = slots_of(segment) - 1;

	for (uint64_t i = 0; slots && i < WINDOW; i++) {
		struct slot *slot = &slots[(key + i) & mask];
		uint64_t seen = atomic_load_explicit(&slot->state,
						     memory_order_acquire);

		if (is_mine(slot, seen, from, self))
			return slot;
	}
	return NULL;
}

/* True for calls 1, 2, 4 and so on to 1024, then every 1024th of an arc */
static bool is_time_to_look(uint64_t count)
{
	return !(count & (count < 1024 ? count - 1 : 1023));
}

static void add(struct slot *slot)
{
	uint64_t before = atomic_fetch_add_explicit(&slot->count, 1,
						    memory_order_relaxed);
	void (*watch)(void);

	if (!is_time_to_look(before + 1))
		return;
	watch = atomic_load_explicit(&watcher, memory_order_acquire);
	if (watch)
		watch();
}

void profil_arcs_count(uint64_t from, uint64_t self)
{
	uint64_t key;

	if (!atomic_load_explicit(&on, memory_order_relaxed))
		return;
	key = hash(from, self);
	for (int i = 0; i < SEGMENTS; i++) {
		struct slot *slot = find(i, key, from, self);

		if (slot) {
			add(slot);
			return;
		}
	}
	atomic_fetch_add_explicit(&lost, 1, memory_order_relaxed);
}

int profil_arcs_switch(bool wanted)
{
	if (wanted && !get_segment(0))
		return -ENOMEM;
	atomic_store(&on, wanted);
	return 0;
}

static int each_of(int segment,
		   int (*take)(const struct gmon_arc *arc, void *data),
		   void *data)
{
	struct slot *slots = atomic_load(&segments[segment]);
	uint64_t nr = slots ? slots_of(segment) : 0;
	int ret = 0;

	for (uint64_t i = 0; i < nr && !ret; i++) {
		struct gmon_arc arc;

		if (atomic_load_explicit(&slots[i].state,
					 memory_order_acquire) != READY)
			continue;
		arc.from = slots[i].from;
		arc.self = slots[i].self;
		arc.count = atomic_load(&slots[i].count);
		if (arc.count)
			ret = take(&arc, data);
	}
	return ret;
}

int profil_arcs_each(int (*take)(const struct gmon_arc *arc, void *data),
		     void *data)
{
	int ret = 0;

	for (int i = 0; i < SEGMENTS && !ret; i++)
		ret = each_of(i, take, data);
	return ret;
}

void profil_arcs_watch(void (*watch)(void))
{
	atomic_store(&watcher, watch);
}

uint64_t profil_arcs_lost(void)
{
	return atomic_load(&lost);
}

/* The slots stay taken: a thread that has found one may be about to count. */
void profil_arcs_reset(void)
{
	for (int i = 0; i < SEGMENTS; i++) {
		struct slot *slots = atomic_load(&segments[i]);

		for (uint64_t n = 0; slots && n < slots_of(i); n++)
			if (atomic_load(&slots[n].count))
				atomic_store(&slots[n].count, 0);
	}
	atomic_store(&lost, 0);
}

void profil_arcs_wipe(void)
{
	for (int i = 0; i < SEGMENTS; i++) {
		struct slot *slots = atomic_load(&segments[i]);

		if (slots)
			syscall(SYS_madvise, slots,
				slots_of(i) * sizeof(struct slot),
				MADV_DONTNEED);
	}
	atomic_store(&lost, 0);
}
