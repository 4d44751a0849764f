// SPDX-License-Identifier: GPL-2.0-only
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/sort.h>

#include "books.h"
#include "config.h"
#include "counters.h"
#include "pins.h"

/* Buffers of at most this many pages in all are pinned at START. */
#define PIN_AT_START 64

/* Pages pinned by one call; their pointers are on the stack. */
#define PIN_BATCH 32

/*
 * Attempts to pin a page. Pinning may itself invalidate it once or twice, and each page of
 * a batch that is read from a file or from swap takes one attempt.
 */
#define PIN_TRIES (2 * PIN_BATCH)

static u8 first_state(const struct config *config, u32 region)
{
	return profil_region_enabled(&config->map.regions[region],
				     config->map.shift) ?
		       PROFIL_REGION_ON :
		       PROFIL_REGION_OFF;
}

/* Without any buffer the lowest page: the notifier has to report the end of the mm. */
static void set_bounds(struct counters *counters)
{
	const struct config *config = counters->config;
	u64 low = U64_MAX, high = 0, pages = 0;
	u32 i;

	for (i = 0; i < config->map.nr_regions; i++) {
		const struct profil_region *region = &config->map.regions[i];

		if (!counters_live(counters, i))
			continue;
		low = min(low, region->base);
		high = max(high, region->base + region->size - 1);
		pages += DIV_ROUND_UP_ULL(region->size, PAGE_SIZE);
	}
	counters->small = pages <= PIN_AT_START;
	profil_pages_begin(&counters->pages, counters_page(min(low, high)),
			   counters_page(high));
}

void profil_counters_begin(struct counters *counters, u8 *states,
			   const struct config *config,
			   const struct counters *parent)
{
	u32 i;

	counters->states = states;
	counters->config = config;
	xa_init_flags(&counters->large, XA_FLAGS_ACCOUNT);
	for (i = 0; i < config->map.nr_regions; i++)
		counters->states[i] = parent ? READ_ONCE(parent->states[i]) :
					       first_state(config, i);
	if (parent)
		profil_pages_begin(&counters->pages, parent->pages.first,
				   parent->pages.last);
	else
		set_bounds(counters);
}

/* A region that has ended keeps its state, the first reason for ending. */
static void set_state(struct counters *counters, u32 region, u8 state)
{
	lockdep_assert_held(&counters->pages.tree.xa_lock);
	if (counters_live(counters, region))
		WRITE_ONCE(counters->states[region], state);
}

/* Without effect on a region that has ended */
static void end_region(struct counters *counters, u32 region, u8 state)
{
	pages_lock(&counters->pages);
	set_state(counters, region, state);
	pages_unlock(&counters->pages);
}

/*
 * Pinning
 */

/* The @nr pages from @first on, which have counters of @region. */
struct page_run {
	u32 region;
	unsigned int nr;
	unsigned long first;
};

/*
 * Enter the pages of @run, pinned after @sequence was read, for samples to use.
 * EAGAIN if the mapping has been changed since. EFAULT if the region has ended:
 * the pages may be those of another mapping at the same address.
 */
static int enter_pages(struct counters *counters, const struct page_run *run,
		       struct page **pages, unsigned long sequence)
{
	unsigned int i;
	int err = 0;

	pages_lock(&counters->pages);
	if (!counters_live(counters, run->region))
		err = -EFAULT;
	else if (mmu_interval_read_retry(&counters->notifier, sequence))
		err = -EAGAIN;
	for (i = 0; !err && i < run->nr; i++)
		profil_pages_put(&counters->pages, run->first + i, pages[i]);
	pages_unlock(&counters->pages);
	return err;
}

/* Pin, charge and enter all pages of @run, or none of them. */
static int pin_charged(struct counters *counters, const struct page_run *run)
{
	const struct pins *pins = &counters->config->pins;
	struct mm_struct *mm = counters->notifier.mm;
	struct page *pages[PIN_BATCH];
	unsigned long sequence;
	int err;

	sequence = mmu_interval_read_begin(&counters->notifier);
	err = profil_pins_add(pins, &counters->large, mm,
			      run->first << PAGE_SHIFT, run->nr, pages);
	if (err)
		return err;
	err = enter_pages(counters, run, pages, sequence);
	if (err)
		profil_pins_remove(pins, &counters->large, mm, pages, run->nr,
				   false);
	return err;
}

static int pin_reserved(struct counters *counters, const struct page_run *run)
{
	int tries = PIN_TRIES, err;

	do {
		err = pin_charged(counters, run);
	} while (err == -EAGAIN && --tries);
	return err;
}

/* Pin absent pages, at most PIN_BATCH. */
static int pin_absent(struct counters *counters, const struct page_run *run)
{
	int err = profil_pages_reserve(&counters->pages, run->first, run->nr);

	if (err)
		return err;
	err = pin_reserved(counters, run);
	if (err)
		profil_pages_unreserve(&counters->pages, run->first, run->nr);
	else
		atomic_long_add(run->nr, &counters->pinned);
	return err;
}

/* Absent pages from @first on, at most a batch and up to @last */
static unsigned int absent_run(struct counters *counters, unsigned long first,
			       unsigned long last)
{
	unsigned int nr = 0;

	while (nr < PIN_BATCH && first + nr <= last &&
	       !pages_entry(&counters->pages, first + nr))
		nr++;
	return nr;
}

/*
 * Pin the absent pages that have the counters of @region from @addr to @last. EFAULT,
 * ENOMEM and EINTR as START; EFAULT also when the region has ended; EAGAIN when the
 * program keeps changing the mapping.
 */
static int counters_pin(struct counters *counters, u32 region, u64 addr,
			u64 last)
{
	struct page_run run = {
		.region = region,
		.first = counters_page(addr),
	};

	while (run.first <= counters_page(last)) {
		int err;

		run.nr = absent_run(counters, run.first, counters_page(last));
		err = run.nr ? pin_absent(counters, &run) : 0;
		if (err)
			return err;
		run.first += max(run.nr, 1U);
	}
	return 0;
}

int profil_counters_watch(struct counters *counters, struct mm_struct *mm,
			  const struct mmu_interval_notifier_ops *ops)
{
	unsigned long first = counters->pages.first << PAGE_SHIFT;
	unsigned long end = (counters->pages.last + 1) << PAGE_SHIFT;
	int err = mmu_interval_notifier_insert(&counters->notifier, mm, first,
					       end - first, ops);

	if (err)
		return err;
	book_add(BOOK_NOTIFIERS, 1);
	/*
	 * The kernel defers an insertion during an invalidation that calls other
	 * notifiers, and does not call this one until that ends.
	 */
	mmu_interval_read_begin(&counters->notifier);
	smp_store_release(&counters->open, true); /* for drains */
	return 0;
}

/*
 * An address without a mapping has been unmapped, although munmap(), which has downgraded
 * mmap_lock, may not have called the notifier yet.
 */
static u8 state_of_fault(struct mm_struct *mm, unsigned long addr)
{
	return profil_pins_reach(mm, addr, addr + 1) > addr ?
		       PROFIL_REGION_FAULT :
		       PROFIL_REGION_UNMAPPED;
}

/* Being over the limit or out of memory may pass, and only marks the region. */
static void note_failure(struct counters *counters,
			 const struct region_hit *hit, int err)
{
	struct mm_struct *mm = counters->notifier.mm;

	if (err == -EFAULT)
		end_region(counters, hit->region,
			   state_of_fault(mm, hit->counter));
	else if (err == -ENOMEM)
		end_region(counters, hit->region, PROFIL_REGION_LIMIT);
}

bool profil_counters_pin_for(struct counters *counters,
			     const struct region_hit *hit)
{
	int err =
		counters_pin(counters, hit->region, hit->counter, hit->counter);

	if (err)
		note_failure(counters, hit, err);
	return !err;
}

/* No page is dropped under the lock, so no slot needs to be entered. */
enum counter_result profil_counters_add(struct counters *counters,
					const struct region_hit *hit)
{
	enum counter_result result;

	pages_lock(&counters->pages);
	result = counters_add(counters, counters->config, hit);
	pages_unlock(&counters->pages);
	return result;
}

/*
 * Opening
 */

/*
 * Check a buffer that is too large to pin: mapped and writable from end to end. One page
 * in each mapping is pinned. All addresses below @seen have been checked; @seen is raised
 * to the end of the last mapping.
 */
static int check_writable(struct counters *counters, u32 i, unsigned long *seen)
{
	const struct profil_region *region = &counters->config->map.regions[i];
	struct mm_struct *mm = counters->notifier.mm;
	unsigned long addr = max_t(unsigned long, region->base, *seen);

	while (addr < region->base + region->size) {
		int err;

		*seen = profil_pins_reach(mm, addr, addr + 1);
		if (IS_ERR_VALUE(*seen))
			return *seen;
		if (*seen == addr)
			return -EFAULT;
		err = counters_pin(counters, i, addr, addr);
		if (err)
			return err;
		cond_resched();
		addr = *seen;
	}
	return 0;
}

static int pin_region(struct counters *counters, u32 i)
{
	const struct profil_region *region = &counters->config->map.regions[i];

	return counters_pin(counters, i, region->base,
			    region->base + region->size - 1);
}

static int by_base(const void *a, const void *b, const void *priv)
{
	const struct config *config = priv;
	u64 x = config->map.regions[*(const u32 *)a].base;
	u64 y = config->map.regions[*(const u32 *)b].base;

	return x < y ? -1 : x > y;
}

/* List in @order the regions that count, by the addresses of their counters. */
static u32 sort_regions(const struct counters *counters, u32 *order)
{
	const struct config *config = counters->config;
	u32 i, nr = 0;

	for (i = 0; i < config->map.nr_regions; i++)
		if (counters_live(counters, i))
			order[nr++] = i;
	sort_r(order, nr, sizeof(*order), by_base, NULL, config);
	return nr;
}

/* By address, so that no mapping is checked twice, however many regions are in it. */
static int open_in_order(struct counters *counters, u32 *order)
{
	u32 i, nr = sort_regions(counters, order);
	unsigned long seen = 0;
	int err = 0;

	for (i = 0; i < nr && !err; i++) {
		if (counters->small)
			err = pin_region(counters, order[i]);
		else
			err = check_writable(counters, order[i], &seen);
	}
	/* EAGAIN: the program keeps changing the mappings of the buffer. */
	return err == -EAGAIN ? -EFAULT : err;
}

int profil_counters_pin_buffers(struct counters *counters)
{
	u32 *order = kvmalloc_array(counters->config->map.nr_regions,
				    sizeof(*order), GFP_KERNEL_ACCOUNT);
	int err;

	if (!order)
		return -ENOMEM;
	err = open_in_order(counters, order);
	kvfree(order);
	return err;
}

/*
 * A child lacks mappings of its parent that are not copied (MADV_DONTFORK), and no
 * notifier reports memory that it maps there later. Regions within @from to @to, the part
 * last found mapped, need no new search.
 */
int profil_counters_inherit(struct counters *counters, struct mm_struct *mm)
{
	const struct region_map *map = &counters->config->map;
	unsigned long from = 0, to = 0;
	u32 i;

	for (i = 0; i < map->nr_regions; i++) {
		const struct profil_region *region = &map->regions[i];
		unsigned long end = region->base + region->size;

		if (!counters_live(counters, i))
			continue;
		if (region->base < from || end > to) {
			from = region->base;
			to = profil_pins_reach(mm, from, end);
		}
		if (IS_ERR_VALUE(to))
			return to;
		if (end > to)
			end_region(counters, i, PROFIL_REGION_UNMAPPED);
		cond_resched();
	}
	return 0;
}

/*
 * Dropping
 */

/* End the regions that have a counter in memory from @start up to @end. */
static void end_regions(struct counters *counters, unsigned long start,
			unsigned long end)
{
	const struct region_map *map = &counters->config->map;
	u32 i;

	for (i = 0; i < map->nr_regions; i++) {
		const struct profil_region *region = &map->regions[i];

		if (region->base < end && region->base + region->size > start)
			set_state(counters, i, PROFIL_REGION_UNMAPPED);
	}
}

/*
 * PROTECTION_PAGE does not drop pages: fork, which sends it, leaves pinned pages of the
 * parent alone, and after writeback a pinned page is made dirty.
 */
bool profil_counters_drop(struct counters *counters,
			  const struct mmu_notifier_range *range,
			  unsigned long sequence)
{
	struct pages *pages = &counters->pages;
	unsigned long start = max(range->start, pages->first << PAGE_SHIFT);
	unsigned long end = min(range->end, (pages->last + 1) << PAGE_SHIFT);
	bool drop = start < end && range->event != MMU_NOTIFY_PROTECTION_PAGE;
	bool found = false;

	pages_lock(pages);
	mmu_interval_set_seq(&counters->notifier, sequence);
	if (start < end && range->event == MMU_NOTIFY_UNMAP)
		end_regions(counters, start, end);
	if (drop)
		found = profil_pages_drop(pages, counters_page(start),
					  counters_page(end - 1));
	pages_unlock(pages);
	return found;
}

void profil_counters_unpin(struct counters *counters, struct page **pages,
			   unsigned int nr)
{
	profil_pages_taken(&counters->pages);
	profil_pins_remove(&counters->config->pins, &counters->large,
			   counters->notifier.mm, pages, nr, true);
	atomic_long_sub(nr, &counters->pinned);
}

void profil_counters_detach(struct counters *counters)
{
	if (!counters->open)
		return;
	mmu_interval_notifier_remove(&counters->notifier);
	book_add(BOOK_NOTIFIERS, -1);
}

void profil_counters_destroy(struct counters *counters)
{
	profil_pages_destroy(&counters->pages);
	xa_destroy(&counters->large);
}
