/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Halves: a table (table.h) has two. Interrupts and task works write to the half in use,
 * in an RCU section. TAKE makes the other one the half in use, and waits for a grace
 * period: then the half that it has taken is at rest, and can be read. A half has all
 * that belongs to its samples, so no ID is valid in two halves, and all memory is free for
 * use after two TAKEs.
 */
#ifndef PROFIL_HALF_H
#define PROFIL_HALF_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/profil.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "names.h"
#include "space.h"

/*
 * What became of samples, in the order of struct profil_take. TICKS is the sum of those from
 * HITS to BUSY, and DEFERRED, less RESOLVED.
 */
enum outcome {
	OUTCOME_TICKS,
	OUTCOME_HITS,
	OUTCOME_IDLE,
	OUTCOME_KERNEL_THREADS,
	OUTCOME_FILTERED,
	OUTCOME_STARTING,
	OUTCOME_EXITING,
	OUTCOME_UNMAPPED,
	OUTCOME_DENIED,
	OUTCOME_CANCELLED,
	OUTCOME_NO_ITEM,
	OUTCOME_NO_MEMORY,
	OUTCOME_FULL,
	OUTCOME_BUSY,
	OUTCOME_STALE, /* hits by a mapping that may have changed */
	OUTCOME_KERNEL_PCS,
	OUTCOME_KERNEL_FULL,
	/* with PROFIL_TABLE_CALLERS: PROFIL_WALK_* of hits, which they add up to */
	OUTCOME_WALKS,
	/* hits that have a part of their stack */
	OUTCOME_WALK_SHORTENED = OUTCOME_WALKS + PROFIL_NR_WALKS,
	OUTCOME_WALK_DEFERRED, /* hits whose stack was not walked in the interrupt */
	NR_TAKEN_OUTCOMES,
	OUTCOME_DEFERRED = NR_TAKEN_OUTCOMES, /* waited for a look-up */
	OUTCOME_RESOLVED, /* waited, and are in one of the above */
	NR_OUTCOMES,
};

struct outcomes {
	u64 samples[NR_OUTCOMES];
};

/* One half of a table */
struct half {
	/* a hash table, part of an allocation that users can map */
	struct profil_counter *counters;
	u64 multiplier; /* of the hash, odd and random: who chooses keys does not know it */
	unsigned int log2; /* binary logarithm of the number of counters */
	unsigned int shift; /* 64 - @log2 */
	atomic_t used; /* counters in use */
	struct text_cache cache; /* of mappings */
	/*
	 * with callers the rule of the PC of each counter, as an index of @rules, or 0; the
	 * rules, each with its flags << 32, at places by their hash from 1 on, or 0
	 */
	u16 *rule_ids;
	u64 *rules;
	struct outcomes __percpu *outcomes; /* of the samples on each CPU */
	struct irq_work wake; /* wakes @readers, from any context */
	wait_queue_head_t *readers; /* who polls the table */
	struct names names; /* what the samples belong to */
};

/* In an RCU section, any context. */
static __always_inline void half_count(struct half *half, enum outcome outcome,
				       u32 samples)
{
	this_cpu_add(half->outcomes->samples[outcome], samples);
}

/* Bytes of counters */
static inline size_t half_bytes(unsigned int log2)
{
	return sizeof(struct profil_counter) << log2;
}

/* Is half of the counters or of the memory for names in use? */
static inline bool half_is_half_full(const struct half *half)
{
	return atomic_read(&half->used) >= 1 << (half->log2 - 1) ||
	       names_half_full(&half->names);
}

/*
 * The keys of a text are a series of numbers, which one multiplication would put into
 * each other's places for some multipliers.
 */
static __always_inline u64 half_first_slot(const struct half *half, u64 key)
{
	u64 hash = key * half->multiplier;

	hash ^= hash >> 32;
	return (hash * half->multiplier) >> half->shift;
}

/*
 * The counter of @key, from @counter on, or NULL. With @is_spare none is added to a half that
 * is full to three quarters. In an RCU section, any context.
 */
struct profil_counter *profil_half_search(struct half *half,
					  struct profil_counter *counter,
					  u64 key, bool is_spare);

/* Add @samples to @key; false when there is no room. In an RCU section, any context. */
static __always_inline bool half_add(struct half *half, u64 key, u32 samples)
{
	struct profil_counter *counter =
		&half->counters[half_first_slot(half, key)];

	if (unlikely(READ_ONCE(counter->key) != key)) {
		counter = profil_half_search(half, counter, key, false);
		if (!counter)
			return false;
	}
	atomic64_add(samples, (atomic64_t *)&counter->count);
	return true;
}

/* A bit of the keys of PCs in the kernel, and the text of those without a program */
#define HALF_KERNEL_PC ((u64)PROFIL_KIND_KERNEL << 62)
#define HALF_NO_TEXT ((u64)PROFIL_TEXT_KERNEL << 32)

/*
 * If the mode of @samples has a PC in the kernel, count them there, too. The mode is 0,
 * PROFIL_KEY_KERNEL or table_kernel_key(). As above.
 */
static __always_inline void half_add_kernel(struct half *half, u64 text,
					    u64 mode, u32 samples)
{
	if (mode & HALF_KERNEL_PC)
		half_count(half,
			   half_add(half, text | mode, samples) ?
				   OUTCOME_KERNEL_PCS :
				   OUTCOME_KERNEL_FULL,
			   samples);
}

/* In an RCU section: samples that waited have their outcome. */
static inline void half_resolve(struct half *half, enum outcome outcome,
				u64 text, u64 mode, u32 samples)
{
	half_count(half, outcome, samples);
	half_count(half, OUTCOME_RESOLVED, samples);
	half_add_kernel(half, text, mode, samples);
}

/* With callers: no number of a counter. No half has this many. */
#define HALF_NO_SLOT 0xffffffU

/*
 * Set @slot to the number of the counter of @key, which is made if need be; false if there
 * is no room, and nothing is set. With @is_spare as above, so that leaves have a counter
 * before their callers.
 */
static __always_inline bool half_find_slot(struct half *half, u64 key,
					   bool is_spare, u32 *slot)
{
	u64 first = half_first_slot(half, key);
	struct profil_counter *counter = &half->counters[first];

	if (likely(READ_ONCE(counter->key) == key)) {
		*slot = first;
		return true;
	}
	counter = profil_half_search(half, counter, key, is_spare);
	if (!counter)
		return false;
	*slot = counter - half->counters;
	return true;
}

/* That of the node of the PC whose counter is @pc, called from @parent */
static __always_inline bool half_find_node(struct half *half, u32 parent,
					   u32 pc, u32 *slot)
{
	u64 key = (u64)PROFIL_KIND_NODE << 62 | (u64)parent << 24 | pc;

	return half_find_slot(half, key, true, slot);
}

static __always_inline void half_add_at(struct half *half, u32 slot,
					u32 samples)
{
	atomic64_add(samples, (atomic64_t *)&half->counters[slot].count);
}

/* The rule of the PC whose counter is @slot, with its flags << 32; 0: not known yet */
static __always_inline u64 half_rule(const struct half *half, u32 slot)
{
	return half->rules[READ_ONCE(half->rule_ids[slot])];
}

/* Keep it, if there is room. Any context, as the above. */
void profil_half_set_rule(struct half *half, u32 slot, u64 rule);

/* Forget all rules: no walk runs that began before rows of a file were removed. */
void profil_half_forget_rules(struct half *half);

/*
 * Make a half for 1 << @log2 counters, which the caller allocates, as @outcomes. ENOMEM.
 * profil_half_free() also frees what a failed call has made. Sleep.
 */
int profil_half_init(struct half *half, unsigned int log2, bool has_callers,
		     wait_queue_head_t *readers);
void profil_half_free(struct half *half);

/* The most memory of a half with its counters */
size_t profil_half_max_bytes(unsigned int log2, bool has_callers);

/* Empty a half at rest, and change the places of keys. Sleeps. */
void profil_half_clear(struct half *half);

/* The samples of @outcome in a half at rest */
u64 profil_half_samples(const struct half *half, enum outcome outcome);

#endif /* PROFIL_HALF_H */
