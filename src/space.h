/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces: where the text of a program is mapped, as far as samples have
 * asked. A cache: a PC in no cached range is looked up by the sampled task, see
 * lookup.c. An entry has no reference to anything.
 *
 * A range is valid while the generation of its address space has not changed.
 * Hooks raise that when a file is mapped, and when such a mapping goes. They are
 * uprobe_mmap() and uprobe_munmap(): a mapping without a file costs nothing. Such a
 * mapping comes and goes without notice. Where a file was before or is after it, that
 * was noticed. One in place of another is the same text to a table, unless one of them
 * is of the kernel's own, as [vdso]: the text there is counted to the former one.
 *
 * mremap() moves the pages of a file to another address before the hook is called for
 * the old one, and with MREMAP_DONTUNMAP or an old size of 0 there is no such call. Text
 * at the new address is counted to what was executed there before, memory without a file
 * or of the kernel's own: for an instant, or until the next file is mapped or unmapped.
 */
#ifndef PROFIL_SPACE_H
#define PROFIL_SPACE_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/types.h>

/**
 * struct identity - a program in an address space and a cgroup
 * @mm: compared only; an address that is used again comes with another exec_id or
 *	start time
 * @exec_id: self_exec_id of the task
 * @start_time: when the process was forked
 * @cgroup: ID of the task's cgroup
 * @thread_begin: half of the task's name if the table has PROFIL_TABLE_THREADS,
 *	else zero. No array: samples have an identity in registers
 * @thread_end: the other half
 */
struct identity {
	struct mm_struct *mm;
	u64 exec_id;
	u64 start_time;
	u64 cgroup;
	u64 thread_begin;
	u64 thread_end;
};

/**
 * struct text_range - mapped text
 * @start: address of the first byte
 * @end: address behind the last byte
 * @key: key of the byte at @start, see struct profil_counter
 * @mask: of the offset from @start: 0 where all bytes share a counter
 * @generation: that of the address space when @key was looked up
 */
struct text_range {
	u64 start;
	u64 end;
	u64 key;
	u32 mask;
	int generation;
};

/* The most ranges of an entry; one more replaces them all. */
#define SPACE_MAX_RANGES 61 /* the entry has 2 KiB then */

/**
 * struct space - an entry: what is known of an address space
 * @identity: of the program
 * @rcu: samples read the entry without a reference
 * @nr: number of ranges, 1 or more
 * @last: index of the range of the last sample, a hint; any CPU writes it
 * @ranges: by address. Constant
 */
struct space {
	struct identity identity;
	struct rcu_head rcu;
	unsigned int nr;
	unsigned int last;
	struct text_range ranges[];
};

#define SPACE_SET_BITS 10
#define SPACE_WAYS 4

/* Entries with the same hash, the newest first */
struct space_set {
	struct space __rcu *ways[SPACE_WAYS];
};

#define GENERATION_BITS 12

extern atomic_t profil_generations[1 << GENERATION_BITS];

static __always_inline int space_generation(const struct mm_struct *mm)
{
	return atomic_read(&profil_generations[hash_ptr(mm, GENERATION_BITS)]);
}

static __always_inline bool identity_equal(const struct identity *a,
					   const struct identity *b)
{
	return a->mm == b->mm && a->exec_id == b->exec_id &&
	       a->start_time == b->start_time && a->cgroup == b->cgroup &&
	       a->thread_begin == b->thread_begin &&
	       a->thread_end == b->thread_end;
}

/* The threads of a process are in different sets if their names matter. */
static __always_inline struct space_set *
space_set_of(struct space_set *sets, const struct identity *identity)
{
	return &sets[hash_64((unsigned long)identity->mm +
				     identity->thread_begin +
				     identity->thread_end,
			     SPACE_SET_BITS)];
}

/* In an RCU section; with interrupts off the caller is in one. */
static __always_inline struct space *space_find(struct space_set *sets,
						const struct identity *identity)
{
	struct space_set *set = space_set_of(sets, identity);
	struct space *space = rcu_dereference_raw(set->ways[0]);
	int way;

	if (likely(space && identity_equal(&space->identity, identity)))
		return space;
	for (way = 1; way < SPACE_WAYS; way++) {
		space = rcu_dereference_raw(set->ways[way]);
		if (space && identity_equal(&space->identity, identity))
			return space;
	}
	return NULL;
}

/*
 * The range of @pc, which becomes @last; NULL if there is none. In an RCU section, any
 * context.
 */
const struct text_range *profil_space_search(struct space *space, u64 pc);

static __always_inline const struct text_range *space_range(struct space *space,
							    u64 pc)
{
	const struct text_range *range = &space->ranges[READ_ONCE(space->last)];

	return likely(pc >= range->start && pc < range->end) ?
		       range :
		       profil_space_search(space, pc);
}

/* The key of @pc in @range; the offset is modulo 2^32. */
static __always_inline u64 space_range_key(const struct text_range *range,
					   u64 pc)
{
	return (range->key & ~(u64)U32_MAX) |
	       (u32)(range->key + ((pc - range->start) & range->mask));
}

/* The key of @pc, or 0 if no valid range is known. In an RCU section. */
static __always_inline u64 space_key(struct space_set *sets,
				     const struct identity *identity, u64 pc)
{
	struct space *space = space_find(sets, identity);
	const struct text_range *range = space ? space_range(space, pc) : NULL;

	if (unlikely(!range ||
		     range->generation != space_generation(identity->mm)))
		return 0;
	return space_range_key(range, pc);
}

struct space_set *profil_spaces_alloc(void);

/*
 * Put @range into the entry of @identity, in place of all that overlap. An entry
 * for which there is no memory is not made. In an RCU section, under the lock of
 * the half.
 */
void profil_spaces_add(struct space_set *sets, const struct identity *identity,
		       const struct text_range *range);

/* No sample uses @sets. NULL is fine to free. */
void profil_spaces_clear(struct space_set *sets);
void profil_spaces_free(struct space_set *sets);

/*
 * Have mappings raise generations, or no more. 0, EOPNOTSUPP when the kernel has
 * no such function, or another errno of profil_hook_attach(). Sleep.
 */
int profil_spaces_attach(void);
void profil_spaces_detach(void);

#endif /* PROFIL_SPACE_H */
