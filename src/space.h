/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces: where the text of programs is mapped, as far as samples have asked. A
 * cache of mappings, without references: a PC in none of them is looked up by the sampled
 * task (lookup.h).
 *
 * A range is valid while the generation of its address space has not changed. Hooks raise
 * that when a file is mapped, and when such a mapping goes: uprobe_mmap() and
 * uprobe_munmap(). A mapping without a file costs nothing, and comes and goes unnoticed;
 * where a file was before or is after it, that was noticed. One in place of another is
 * the same text to a table, unless one of them is of the kernel's own, as [vdso]: the text
 * there is counted to the former one.
 *
 * mremap() moves the pages of a file before the hook is called for the old address, and
 * with MREMAP_DONTUNMAP or an old size of 0 there is no such call. Text at the new address
 * is counted to memory that was executed there before, for an instant, or until the next
 * file is mapped or unmapped.
 *
 * A table with callers needs all text of a program, as one object: a space. What its
 * ranges are has a number, the epoch, which is never given twice. A space that replaces
 * one of the same program has its epoch if no PC has another key or other rows than before;
 * so what was found by one of them is valid with the other.
 */
#ifndef PROFIL_SPACE_H
#define PROFIL_SPACE_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct file_rows;
struct hook;

/* A program in an address space and a cgroup */
struct identity {
	/*
	 * compared only; an address that is used again comes with another exec_id or start time
	 */
	struct mm_struct *mm;
	u64 exec_id; /* self_exec_id of the task */
	u64 start_time; /* when the process was forked */
	u64 cgroup; /* ID of the task's cgroup */
	/*
	 * half of the task's name with PROFIL_TABLE_THREADS, else 0. No array: samples have an
	 * identity in registers
	 */
	u64 thread_begin;
	u64 thread_end; /* the other half */
};

/* Mapped text */
struct mapped {
	u64 start; /* address of the first byte */
	u64 size; /* bytes */
	u64 text; /* ID of the text, as in the key of a counter */
	u32 offset; /* of the byte at @start in the file, modulo 2^32 */
	u32 mask; /* of the offset from @start: 0 where all bytes share a counter */
};

/* Text of a program. Constant while in the cache */
struct text_range {
	struct identity identity; /* of the program */
	struct mapped mapped;
	long generation; /* that of the address space when it was looked up */
	struct rcu_head rcu; /* samples read the range without a reference */
};

/* A range has a place by the program and the block of each PC that was asked for. */
#define RANGE_BLOCK_BITS 16

/* Text in a space */
struct space_range {
	struct mapped mapped;
	const struct file_rows *rows; /* of the file, or NULL */
	u32 rule; /* of all PCs, without rows */
};

#define SPACE_MAX_RANGES 255

/* Return addresses without text that are remembered, and for how many walks */
#define SPACE_HOLES_LOG2 2
#define SPACE_HOLE_WALKS 16

/* Text that a program has mapped, as far as there is room. Constant but for @last and @holes */
struct space {
	struct identity identity; /* of the program */
	u64 epoch; /* of what PCs have which key and rows */
	long generation; /* that of the address space when it was looked at */
	unsigned long rows_version; /* that of the table's rows then */
	u8 nr; /* of ranges, sorted by address */
	u8 last; /* a hint: a range in which a PC was found */
	struct {
		u64 at;
		int walks;
	} holes[1 << SPACE_HOLES_LOG2];
	/* walks read the space without a reference */
	struct rcu_head rcu;
	struct space_range ranges[];
};

/* Places: a fraction of the counters, within these limits; a quarter of these for spaces */
#define PLACES_PER_COUNTER_LOG2 4
#define PLACES_MIN_LOG2 8
#define PLACES_MAX_LOG2 14
#define PLACES_PER_SPACE_LOG2 2

/* A cache of ranges, or, with callers, of spaces */
struct text_cache {
	union {
		void __rcu **places; /* of either */
		struct text_range __rcu **ranges;
		struct space __rcu **spaces;
	};
	unsigned int log2; /* binary logarithm of their number */
	unsigned int shift; /* 64 - @log2 */
	/* of the hash, odd and random: what shares a place once does not always */
	u64 multiplier;
	spinlock_t lock; /* of who replaces a space, and of the next two */
	size_t bytes; /* memory of the spaces */
	unsigned int next; /* the place that is emptied next for lack of room */
	size_t max_bytes; /* the limit of @bytes. Constant */
};

#define GENERATION_BITS 12

/* They come to no value twice: each is 64 bits long. */
extern atomic_long_t profil_generations[1 << GENERATION_BITS];

static __always_inline atomic_long_t *
space_generation_at(const struct mm_struct *mm)
{
	return &profil_generations[hash_ptr(mm, GENERATION_BITS)];
}

static __always_inline long space_generation(const struct mm_struct *mm)
{
	return atomic_long_read(space_generation_at(mm));
}

/* @by_thread: the name of the thread counts. Constant */
static __always_inline bool identity_equal(const struct identity *a,
					   const struct identity *b,
					   bool by_thread)
{
	return a->mm == b->mm && a->exec_id == b->exec_id &&
	       a->start_time == b->start_time && a->cgroup == b->cgroup &&
	       (!by_thread || (a->thread_begin == b->thread_begin &&
			       a->thread_end == b->thread_end));
}

static __always_inline bool mapped_has(const struct mapped *mapped, u64 pc)
{
	return pc - mapped->start < mapped->size;
}

/* The key of @pc, which is in @mapped */
static __always_inline u64 mapped_key(const struct mapped *mapped, u64 pc)
{
	u32 distance = pc - mapped->start;

	return mapped->text | (u32)(mapped->offset + (distance & mapped->mask));
}

/* The place of the program, and of a @block of its text in a cache of ranges */
static __always_inline u64 text_place(const struct text_cache *cache,
				      const struct identity *identity,
				      u64 block)
{
	u64 sum = (unsigned long)identity->mm + identity->thread_begin +
		  identity->thread_end + block;

	return sum * cache->multiplier >> cache->shift;
}

static __always_inline struct text_range __rcu **
range_place(const struct text_cache *cache, const struct identity *identity,
	    u64 pc)
{
	return &cache->ranges[text_place(cache, identity,
					 pc >> RANGE_BLOCK_BITS)];
}

/*
 * The range of @pc, valid or not, or NULL; without @by_thread in a cache without names of
 * threads. In an RCU section, any context.
 */
static __always_inline const struct text_range *
range_find(const struct text_cache *cache, const struct identity *identity,
	   u64 pc, bool by_thread)
{
	const struct text_range *range =
		rcu_dereference_raw(*range_place(cache, identity, pc));

	if (likely(range && mapped_has(&range->mapped, pc) &&
		   identity_equal(&range->identity, identity, by_thread)))
		return range;
	return NULL;
}

static __always_inline bool range_is_valid(const struct text_range *range)
{
	return range->generation == space_generation(range->identity.mm);
}

static __always_inline struct space __rcu **
space_place(const struct text_cache *cache, const struct identity *identity)
{
	return &cache->spaces[text_place(cache, identity, 0)];
}

/* The space of the program, valid or not, or NULL. In an RCU section, any context. */
static __always_inline struct space *space_find(const struct text_cache *cache,
						const struct identity *identity)
{
	struct space *space =
		rcu_dereference_raw(*space_place(cache, identity));

	if (likely(space && identity_equal(&space->identity, identity, true)))
		return space;
	return NULL;
}

/* Is @space as the mappings and the rows of version @rows_version are now? */
static __always_inline bool space_is_valid(const struct space *space,
					   unsigned long rows_version)
{
	return space->generation == space_generation(space->identity.mm) &&
	       space->rows_version == rows_version;
}

/* The range of @pc, or NULL */
static inline const struct space_range *space_range(struct space *space, u64 pc)
{
	unsigned int low = 0, high = space->nr, middle;

	while (low < high) {
		const struct space_range *range;

		middle = (low + high) / 2;
		range = &space->ranges[middle];
		if (pc < range->mapped.start)
			high = middle;
		else if (!mapped_has(&range->mapped, pc))
			low = middle + 1;
		else
			return range;
	}
	return NULL;
}

/* Was no text found at @pc by one of the last look-ups? A program may map it any time. */
static inline bool space_has_hole(struct space *space, u64 pc)
{
	unsigned int i = hash_64(pc, SPACE_HOLES_LOG2);
	int walks = READ_ONCE(space->holes[i].walks);

	if (READ_ONCE(space->holes[i].at) != pc || walks <= 0)
		return false;
	WRITE_ONCE(space->holes[i].walks, walks - 1);
	return true;
}

static inline void space_add_hole(struct space *space, u64 pc)
{
	unsigned int i = hash_64(pc, SPACE_HOLES_LOG2);

	WRITE_ONCE(space->holes[i].at, pc);
	WRITE_ONCE(space->holes[i].walks, SPACE_HOLE_WALKS);
}

/*
 * Make a cache for a table with 1 << @log2 counters; 0 or ENOMEM. Empty it; free it,
 * also after a failure. No sample uses it. Sleep.
 */
int profil_text_cache_init(struct text_cache *cache, unsigned int log2,
			   bool has_callers);
void profil_text_cache_clear(struct text_cache *cache);
void profil_text_cache_free(struct text_cache *cache);

/* The most memory of such a cache, in bytes */
size_t profil_text_cache_max_bytes(unsigned int log2, bool has_callers);

/* Take over @range, for the block of @pc. In an RCU section. */
void profil_range_add(struct text_cache *cache, struct text_range *range,
		      u64 pc);

/* May there be text that @space has no room for? NULL: no */
static inline bool space_is_full(const struct space *space)
{
	return space && space->nr >= SPACE_MAX_RANGES - 1;
}

/*
 * Add the ranges of @old to the only one of @draft, but for those that overlap it, and for
 * any one if there is no room.
 */
void profil_space_take_over(struct space *draft, const struct space *old);

/*
 * Put a copy of @draft into the cache, in place of the space of the same program. ENOMEM.
 * In an RCU section, process context.
 */
int profil_space_add(struct text_cache *cache, const struct space *draft);

/* They raise generations. */
extern struct hook profil_mapped_hook;
extern struct hook profil_unmapped_hook;

#endif /* PROFIL_SPACE_H */
