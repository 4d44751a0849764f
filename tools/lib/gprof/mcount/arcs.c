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
 * assembly does not save. The system calls are bare for the same reason. All
 * atomic variables have the size of a pointer or less: on i386 larger ones need
 * vector registers.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/arcs.h"
#include "gprof/mcount/system_call.h"

#define SEGMENTS 10
#define FIRST_BITS 14
#define WINDOW 8

enum { FREE, TAKEN, READY };

/* @wraps counts how often @count has become 0 again. */
struct slot {
	_Atomic uint32_t state;
	_Atomic uint32_t wraps;
	unsigned long from;
	unsigned long self;
	_Atomic unsigned long count;
};

static struct slot *_Atomic segments[SEGMENTS];
static atomic_bool on;
static _Atomic unsigned long lost;
static void (*_Atomic watcher)(void);

static uint64_t slots_of(int segment)
{
	return 1ULL << (FIRST_BITS + 2 * segment);
}

static struct slot *map_slots(size_t size)
{
	const int access = PROT_READ | PROT_WRITE;
	const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	long at = syscall(CALL_MMAP, NULL, size, access, kind, -1, 0);

	if (at == -1)
		return NULL;
	syscall(SYS_madvise, at, size, MADV_WIPEONFORK);
	return (struct slot *)at;
}

/*
 * A thread that loses the race uses the segment of the winner. The last segments
 * exceed the address space of a 32-bit program.
 */
static struct slot *make_segment(int segment)
{
	uint64_t size = slots_of(segment) * sizeof(struct slot);
	struct slot *none = NULL;
	int saved = errno;
	struct slot *made = size <= SIZE_MAX ? map_slots(size) : NULL;

	if (made &&
	    !atomic_compare_exchange_strong(&segments[segment], &none, made)) {
		syscall(SYS_munmap, made, (size_t)size);
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
static bool is_mine(struct slot *slot, uint32_t seen, uint64_t from,
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
		uint32_t seen = atomic_load_explicit(&slot->state,
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
	unsigned long now = atomic_fetch_add_explicit(&slot->count, 1,
						      memory_order_relaxed) +
			    1;
	void (*watch)(void);

	if (!now)
		atomic_fetch_add(&slot->wraps, 1);
	if (!is_time_to_look(now))
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

/* @wraps stays 0 where @count has 64 bits. */
static uint64_t count_of(struct slot *slot)
{
	return atomic_load(&slot->count) +
	       ((uint64_t)atomic_load(&slot->wraps) << 32);
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
		arc.count = count_of(&slots[i]);
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

static void reset_count(struct slot *slot)
{
	if (atomic_load(&slot->count))
		atomic_store(&slot->count, 0);
	if (atomic_load(&slot->wraps))
		atomic_store(&slot->wraps, 0);
}

/* The slots stay taken: a thread that has found one may be about to count. */
void profil_arcs_reset(void)
{
	for (int i = 0; i < SEGMENTS; i++) {
		struct slot *slots = atomic_load(&segments[i]);

		for (uint64_t n = 0; slots && n < slots_of(i); n++)
			reset_count(&slots[n]);
	}
	atomic_store(&lost, 0);
}

void profil_arcs_wipe(void)
{
	for (int i = 0; i < SEGMENTS; i++) {
		struct slot *slots = atomic_load(&segments[i]);

		if (slots)
			syscall(SYS_madvise, slots,
				(size_t)(slots_of(i) * sizeof(struct slot)),
				MADV_DONTNEED);
	}
	atomic_store(&lost, 0);
}
