/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Halves: a table (table.h) has two. Samples are counted in one, while the other is
 * at rest and can be read. A half has all that belongs to the samples in it: the
 * counters, the names, the cache of address spaces and the numbers of outcomes. So
 * no ID is valid in two halves, and all memory is free for use after two TAKEs.
 *
 * Interrupts and task works write to the half in use, in an RCU section. TAKE
 * makes another half the one in use, and waits for a grace period: then nothing
 * writes to the half that it has taken.
 */
#ifndef PROFIL_HALF_H
#define PROFIL_HALF_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/profil.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/xarray.h>

struct space_set;

/*
 * What became of samples, in the order of struct profil_take. TICKS is the sum of
 * those from HITS to FULL, and DEFERRED, less RESOLVED.
 */
enum outcome {
	OUTCOME_TICKS,
	OUTCOME_HITS,
	OUTCOME_IDLE,
	OUTCOME_KERNEL_THREADS,
	OUTCOME_FILTERED,
	OUTCOME_STARTING,
	OUTCOME_EXITING,
	OUTCOME_GONE,
	OUTCOME_UNMAPPED,
	OUTCOME_DENIED,
	OUTCOME_CANCELLED,
	OUTCOME_NO_ITEM,
	OUTCOME_NO_MEMORY,
	OUTCOME_FULL,
	OUTCOME_DEFERRED, /* waited for a look-up */
	OUTCOME_RESOLVED, /* waited, and are in one of the above */
	OUTCOME_KERNEL_PCS,
	OUTCOME_KERNEL_FULL,
	NR_OUTCOMES,
};

struct outcomes {
	u64 samples[NR_OUTCOMES];
};

#define NAME_BITS 10

/**
 * struct half - one half of a table
 * @counters: a hash table, part of an allocation that users can map
 * @log2: binary logarithm of the number of counters
 * @used: counters in use
 * @sets: the cache of address spaces, see space.h
 * @outcomes: of the samples on each CPU
 * @wake: wakes @readers, from any context
 * @readers: who polls the table
 * @lock: guards the writing of all below and of @sets; process context only
 * @names: files and cgroups by their ID
 * @texts: texts by their ID
 * @name_hash: the names by their key
 * @text_hash: the texts by their key
 * @seed: of the hashes of both
 * @bytes: memory of names and texts
 * @names_full: there was no room for a name or a text
 */
struct half {
	struct profil_counter *counters;
	unsigned int log2;
	atomic_t used;
	struct space_set *sets;
	struct outcomes __percpu *outcomes;
	struct irq_work wake;
	wait_queue_head_t *readers;
	spinlock_t lock; /* the writing of the rest */
	struct xarray names;
	struct xarray texts;
	struct hlist_head name_hash[1 << NAME_BITS];
	struct hlist_head text_hash[1 << NAME_BITS];
	u32 seed;
	size_t bytes;
	bool names_full;
};

/* The counters that are searched for a key. */
#define HALF_PROBES 32

/* In an RCU section, any context. */
static __always_inline void half_count(struct half *half, enum outcome outcome,
				       u32 samples)
{
	this_cpu_add(half->outcomes->samples[outcome], samples);
}

/* The limit of @bytes: as much as the counters */
static inline size_t half_max_bytes(const struct half *half)
{
	return sizeof(struct profil_counter) << half->log2;
}

/* Is half of the counters or of the memory for names in use? */
static inline bool half_is_half_full(const struct half *half)
{
	return atomic_read(&half->used) >= 1 << (half->log2 - 1) ||
	       READ_ONCE(half->bytes) >= half_max_bytes(half) / 2;
}

/* A counter is in use that was not: wake readers if it is time. Any context. */
void profil_half_grown(struct half *half);

/*
 * Find the counter of @key, or make it. NULL when there is no room. In an RCU
 * section, any context: an entry gets its key once, by cmpxchg().
 */
static __always_inline struct profil_counter *half_counter(struct half *half,
							   u64 key)
{
	unsigned int mask = (1U << half->log2) - 1, probe;
	unsigned int at = hash_64(key, half->log2);

	for (probe = 0; probe < HALF_PROBES; probe++, at = (at + 1) & mask) {
		struct profil_counter *counter = &half->counters[at];
		u64 seen = READ_ONCE(counter->key);

		if (likely(seen == key))
			return counter;
		if (seen)
			continue;
		seen = cmpxchg64(&counter->key, 0, key);
		if (!seen)
			profil_half_grown(half);
		if (!seen || seen == key)
			return counter;
	}
	return NULL;
}

/* Add @samples to the counter of @key; false when there is no room. As above. */
static __always_inline bool half_add(struct half *half, u64 key, u32 samples)
{
	struct profil_counter *counter = half_counter(half, key);

	if (unlikely(!counter))
		return false;
	atomic64_add(samples, (atomic64_t *)&counter->count);
	return true;
}

/*
 * Make a half for 1 << @log2 counters, which the caller allocates. 0 or ENOMEM.
 * profil_half_free() also frees what a failed call has made. Sleep.
 */
int profil_half_init(struct half *half, unsigned int log2,
		     wait_queue_head_t *readers);
void profil_half_free(struct half *half);

/* Empty a half at rest. Sleeps. */
void profil_half_clear(struct half *half);

/* The samples of @outcome in a half at rest */
u64 profil_half_samples(const struct half *half, enum outcome outcome);

#endif /* PROFIL_HALF_H */
