/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables by the address of a structure of the kernel, into which each context switch and
 * each tick may look. The number of buckets grows with the memory of the machine, and with
 * it the number of programs that users can run: chains stay short.
 */
#ifndef PROFIL_POINTER_TABLE_H
#define PROFIL_POINTER_TABLE_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "books.h"

/* One bucket for each MiB of memory, within these limits */
#define POINTER_TABLE_BITS_MIN 12
#define POINTER_TABLE_BITS_MAX 20

/*
 * Numbers of what a timer may have to be armed for, by hash of an address, which a context
 * switch reads in place of tables: sessions in the lower half, all else in the upper half.
 */
#define TIMED_BITS 12
#define TIMED_SESSION 1ULL
#define TIMED_TABLE BIT_ULL(32)

/* Who uses a table has a lock, under which the last two are written. */
struct pointer_table {
	struct hlist_head *buckets; /* constant after pointer_table_init() */
	unsigned long mask; /* of offsets of buckets, in bytes. Constant, too */
	unsigned int nr; /* entries; a hint for the clocks */
	u64 timed[1 << TIMED_BITS];
};

static __always_inline bool
pointer_table_empty(const struct pointer_table *table)
{
	return !READ_ONCE(table->nr);
}

static inline void pointer_table_count(struct pointer_table *table, int more)
{
	WRITE_ONCE(table->nr, table->nr + more);
}

static inline unsigned long
pointer_table_size(const struct pointer_table *table)
{
	return table->mask / sizeof(*table->buckets) + 1;
}

/*
 * Structures of a kind lie beside each other, and are at least @stride bytes long, a
 * constant power of 2: a part of the address distributes them, without a multiplication.
 */
static __always_inline struct hlist_head *
pointer_table_bucket(const struct pointer_table *table, const void *key,
		     unsigned long stride)
{
	unsigned long offset =
		(unsigned long)key / (stride / sizeof(*table->buckets));

	return (void *)table->buckets + (offset & table->mask);
}

static __always_inline u64 *timed_count(struct pointer_table *table,
					const void *key, unsigned long stride)
{
	return &table->timed[(unsigned long)key / stride % (1 << TIMED_BITS)];
}

static __always_inline u64 timed_read(const u64 *count)
{
	/* data race: the CPUs that a change matters for are interrupted after it. */
	return data_race(*count);
}

static inline void timed_add(u64 *count, u64 nr)
{
	book_add(BOOK_TIMED, (long)nr);
	WRITE_ONCE(*count, *count + nr);
}

/* ENOMEM. Called when the module is loaded. */
static inline int pointer_table_init(struct pointer_table *table)
{
	int bits = ilog2(totalram_pages()) - (20 - PAGE_SHIFT);

	bits = clamp(bits, POINTER_TABLE_BITS_MIN, POINTER_TABLE_BITS_MAX);
	table->mask = ((1UL << bits) - 1) * sizeof(*table->buckets);
	table->buckets = kvcalloc(pointer_table_size(table),
				  sizeof(*table->buckets), GFP_KERNEL);
	return table->buckets ? 0 : -ENOMEM;
}

static inline void pointer_table_exit(struct pointer_table *table)
{
	kvfree(table->buckets);
}

#endif /* PROFIL_POINTER_TABLE_H */
