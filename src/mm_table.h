/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tables by address space. Each context switch and each tick may look into one,
 * so the number of buckets grows with the memory of the machine, and with it the
 * number of programs that users can run: chains stay short.
 */
#ifndef PROFIL_MM_TABLE_H
#define PROFIL_MM_TABLE_H

#include <linux/list.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>

/* One bucket for each MiB of memory, within these limits */
#define MM_TABLE_BITS_MIN 12
#define MM_TABLE_BITS_MAX 20

/*
 * The kernel allocates mm_structs, which are longer than this, beside each other.
 * So a part of the address distributes them, without a multiplication.
 */
#define MM_TABLE_STRIDE 1024

/* @mask: offsets of buckets, in bytes. Both constant after mm_table_init() */
struct mm_table {
	struct hlist_head *buckets;
	unsigned long mask;
};

static inline unsigned long mm_table_size(const struct mm_table *table)
{
	return table->mask / sizeof(*table->buckets) + 1;
}

static inline struct hlist_head *mm_table_bucket(const struct mm_table *table,
						 const struct mm_struct *mm)
{
	unsigned long offset =
		(unsigned long)mm / (MM_TABLE_STRIDE / sizeof(*table->buckets));

	return (void *)table->buckets + (offset & table->mask);
}

/* ENOMEM. Called when the module is loaded. */
static inline int mm_table_init(struct mm_table *table)
{
	int bits = ilog2(totalram_pages()) - (20 - PAGE_SHIFT);

	bits = clamp(bits, MM_TABLE_BITS_MIN, MM_TABLE_BITS_MAX);
	table->mask = ((1UL << bits) - 1) * sizeof(*table->buckets);
	table->buckets = kvcalloc(mm_table_size(table), sizeof(*table->buckets),
				  GFP_KERNEL);
	return table->buckets ? 0 : -ENOMEM;
}

static inline void mm_table_exit(struct mm_table *table)
{
	kvfree(table->buckets);
}

#endif /* PROFIL_MM_TABLE_H */
