// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "config.h"
#include "counters.h"
#include "mappings.h"
#include "pins.h"

/* Buffers of at most this many pages in all are pinned at START. */
#define PIN_AT_START 64

/* Pages pinned by one call; their pointers are on the stack. */
#define PIN_BATCH 32

/*
 * Attempts to pin a page. Pinning may itself invalidate the page once or twice,
 * by copy on write or migration out of a movable zone; a program may change the
 * mapping without end.
 */
#define PIN_TRIES 64

void profil_counters_init(struct counters *counters, u8 *states)
{
	counters->states = states;
	profil_pages_init(&counters->pages);
	profil_folios_init(&counters->folios);
	atomic_long_set(&counters->pinned, 0);
}

static u8 first_state(const struct config *config, u32 region)
{
	return profil_region_enabled(&config->map.regions[region],
				     config->map.shift) ?
		       PROFIL_REGION_ON :
		       PROFIL_REGION_OFF;
}

void profil_counters_begin(struct counters *counters,
			   const struct config *config,
			   const struct counters *parent)
{
	u32 i;

	for (i = 0; i < config->map.nr_regions; i++)
		counters->states[i] = parent ? READ_ONCE(parent->states[i]) :
					       first_state(config, i);
}

u8 profil_counters_state(const struct counters *counters, u32 region)
{
	return READ_ONCE(counters->states[region]);
}

/* A region that has ended keeps its state, the first reason for ending. */
static void set_state(struct counters *counters, u32 region, u8 state)
{
	lockdep_assert_held(&counters->pages.tree.xa_lock);
	if (counters_live(counters, region))
		WRITE_ONCE(counters->states[region], state);
}

void profil_counters_end_region(struct counters *counters, u32 region, u8 state)
{
	pages_lock(&counters->pages);
	set_state(counters, region, state);
	pages_unlock(&counters->pages);
}

/*
 * Pinning
 */

/*
 * Enter @pages, pinned after @sequence was read, for samples to use; false if
 * the mapping has been changed since.
 */
static bool enter_pages(struct counters *counters, unsigned long index,
			struct page **pages, unsigned int nr,
			unsigned long sequence)
{
	bool valid;
	unsigned int i;

	pages_lock(&counters->pages);
	valid = !mmu_interval_read_retry(&counters->notifier, sequence);
	for (i = 0; valid && i < nr; i++)
		profil_pages_put(&counters->pages, index + i, pages[i]);
	pages_unlock(&counters->pages);
	return valid;
}

/*
 * If the charge is refused, the pages are removed from @folios again. The work
 * may have unpinned other pages of the same folio meanwhile: then these are its
 * last, and more is uncharged than was due.
 */
static int charge(struct counters *counters, const struct config *config,
		  struct mm_struct *mm, struct page **pages, unsigned int nr)
{
	long due = profil_folios_add(&counters->folios, pages, nr);
	unsigned long back;

	if (due < 0)
		return due;
	if (profil_memlock_charge(&config->memlock, mm, due))
		return 0;
	back = profil_folios_remove(&counters->folios, pages, nr);
	profil_memlock_uncharge(&config->memlock, mm, back - due);
	return -ENOMEM;
}

/* Pin, charge and enter @nr pages, or none of them. */
static int pin_charged(struct counters *counters, const struct config *config,
		       struct mm_struct *mm, unsigned long index,
		       unsigned int nr)
{
	unsigned long addr = (counters->first + index) << PAGE_SHIFT;
	struct page *pages[PIN_BATCH];
	unsigned long sequence, due;
	int err;

	sequence = mmu_interval_read_begin(&counters->notifier);
	err = profil_pins_get(mm, addr, nr, pages);
	if (err)
		return err;
	err = charge(counters, config, mm, pages, nr);
	if (err)
		goto unpin;
	if (enter_pages(counters, index, pages, nr, sequence))
		return 0;
	due = profil_folios_remove(&counters->folios, pages, nr);
	profil_memlock_uncharge(&config->memlock, mm, due);
	err = -EAGAIN;
unpin:
	unpin_user_pages(pages, nr);
	return err;
}

static int pin_reserved(struct counters *counters, const struct config *config,
			struct mm_struct *mm, unsigned long index,
			unsigned int nr)
{
	int tries = PIN_TRIES, err;

	do {
		err = pin_charged(counters, config, mm, index, nr);
	} while (err == -EAGAIN && --tries);
	return err;
}

/*
 * Pin @nr absent pages, at most PIN_BATCH. One caller at a time: START before
 * the session is published, then its work.
 */
static int pin(struct counters *counters, const struct config *config,
	       struct mm_struct *mm, unsigned long index, unsigned int nr)
{
	int err = profil_pages_reserve(&counters->pages, index, nr);

	if (err)
		return err;
	err = pin_reserved(counters, config, mm, index, nr);
	if (err)
		profil_pages_unreserve(&counters->pages, index, nr);
	else
		atomic_long_add(nr, &counters->pinned);
	return err;
}

/*
 * The number of absent pages from @index on, at most a batch and up to @last.
 */
static unsigned int absent_run(struct counters *counters, unsigned long index,
			       unsigned long last)
{
	unsigned int nr = 0;

	while (nr < PIN_BATCH && index + nr <= last &&
	       !pages_entry(&counters->pages, index + nr))
		nr++;
	return nr;
}

int profil_counters_pin(struct counters *counters, const struct config *config,
			struct mm_struct *mm, unsigned long index,
			unsigned long last)
{
	while (index <= last) {
		unsigned int nr = absent_run(counters, index, last);
		int err = nr ? pin(counters, config, mm, index, nr) : 0;

		if (err)
			return err;
		index += max(nr, 1U);
	}
	return 0;
}

/*
 * The bounds extend from the first to the last buffer. Without any buffer they
 * are the lowest page: the notifier still has to report the end of the mm.
 */
void profil_counters_set_bounds(struct counters *counters,
				const struct config *config)
{
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
	low = min(low, high);
	counters->small = pages <= PIN_AT_START;
	counters->first = low >> PAGE_SHIFT;
	counters->last = (high >> PAGE_SHIFT) - counters->first;
	profil_pages_begin(&counters->pages, counters->last);
}

/**
 * struct insertion - parameters of a notifier's insertion
 * @work: for a worker to insert it
 * @counters: contains the notifier
 * @mm: the address space to watch
 * @ops: callbacks of the notifier
 * @err: result
 */
struct insertion {
	struct work_struct work;
	struct counters *counters;
	struct mm_struct *mm;
	const struct mmu_interval_notifier_ops *ops;
	int err;
};

static void insert(struct work_struct *work)
{
	struct insertion *in = container_of(work, struct insertion, work);
	struct counters *counters = in->counters;
	unsigned long start = counters->first << PAGE_SHIFT;
	unsigned long length = (counters->last + 1) << PAGE_SHIFT;

	in->err = mmu_interval_notifier_insert(&counters->notifier, in->mm,
					       start, length, in->ops);
}

/*
 * The first notifier of an mm takes all locks of the mm, and fails when any
 * signal is pending to the caller. A worker has no signals, so it inserts the
 * notifier then, unless the signal is fatal.
 */
static int insert_notifier(struct counters *counters, struct mm_struct *mm,
			   const struct mmu_interval_notifier_ops *ops)
{
	struct insertion in = { .counters = counters, .mm = mm, .ops = ops };

	INIT_WORK_ONSTACK(&in.work, insert);
	insert(&in.work);
	if (in.err == -EINTR && !fatal_signal_pending(current)) {
		queue_work(system_unbound_wq, &in.work);
		flush_work(&in.work);
	}
	destroy_work_on_stack(&in.work);
	return in.err;
}

int profil_counters_watch(struct counters *counters, struct mm_struct *mm,
			  const struct mmu_interval_notifier_ops *ops)
{
	int err = insert_notifier(counters, mm, ops);

	if (err)
		return err;
	/*
	 * The kernel defers an insertion during an invalidation that calls
	 * other notifiers. Until that ends, this notifier is called neither for
	 * an unmapping nor for the end of the mm.
	 */
	mmu_interval_read_begin(&counters->notifier);
	/* Samples that see @open see the bounds: counters_add(). */
	smp_store_release(&counters->open, true);
	return 0;
}

/*
 * munmap() removes a mapping, downgrades mmap_lock, and only then calls the
 * notifier. So an address without a mapping has been unmapped, although the
 * notifier may not have been called yet.
 */
static u8 state_of_fault(struct mm_struct *mm, unsigned long addr)
{
	return profil_mappings_reach(mm, addr, addr + 1) > addr ?
		       PROFIL_REGION_FAULT :
		       PROFIL_REGION_UNMAPPED;
}

/*
 * A counter that can never be written ends its region. Being over the limit or
 * out of memory may pass, and only marks the region.
 */
static void note_failure(struct counters *counters,
			 const struct region_hit *hit, int err)
{
	struct mm_struct *mm = counters->notifier.mm;

	if (err == -EFAULT)
		profil_counters_end_region(counters, hit->region,
					   state_of_fault(mm, hit->counter));
	else if (err == -ENOMEM)
		profil_counters_end_region(counters, hit->region,
					   PROFIL_REGION_LIMIT);
}

/* No page is dropped under the lock, so no slot needs to be entered. */
static enum counter_result add_locked(struct counters *counters,
				      const struct config *config,
				      const struct region_hit *hit)
{
	enum counter_result result;

	pages_lock(&counters->pages);
	result = counters_add(counters, config, hit);
	pages_unlock(&counters->pages);
	return result;
}

/* Only the work takes pages out, so the entry cannot vanish meanwhile. */
static bool is_dropped(struct counters *counters, unsigned long index)
{
	return pages_dropped(pages_entry(&counters->pages, index));
}

enum counter_result profil_counters_add_pinning(struct counters *counters,
						const struct config *config,
						const struct region_hit *hit)
{
	unsigned long index = counters_index(counters, hit->counter);
	struct mm_struct *mm = counters->notifier.mm;
	int tries;

	for (tries = 0; tries < PIN_TRIES; tries++) {
		enum counter_result result;
		int err;

		result = add_locked(counters, config, hit);
		if (result != COUNTER_ABSENT)
			return result;
		if (is_dropped(counters, index))
			return COUNTER_DROPPED;
		err = profil_counters_pin(counters, config, mm, index, index);
		if (err) {
			note_failure(counters, hit, err);
			return COUNTER_ABSENT;
		}
	}
	return COUNTER_ABSENT;
}

/*
 * Dropping
 */

/* End the regions that have a counter in memory from @start up to @end. */
static void end_regions(struct counters *counters, const struct config *config,
			unsigned long start, unsigned long end)
{
	u32 i;

	for (i = 0; i < config->map.nr_regions; i++) {
		const struct profil_region *region = &config->map.regions[i];

		if (region->base < end && region->base + region->size > start)
			set_state(counters, i, PROFIL_REGION_UNMAPPED);
	}
}

/*
 * PROTECTION_PAGE does not drop pages. It is sent by fork, which copies pinned
 * pages for the child and leaves the parent's alone, and by writeback, after
 * which a pinned page is made dirty.
 */
bool profil_counters_drop(struct counters *counters,
			  const struct config *config,
			  const struct mmu_notifier_range *range,
			  unsigned long sequence)
{
	unsigned long low = counters->first << PAGE_SHIFT;
	unsigned long high = (counters->first + counters->last + 1)
			     << PAGE_SHIFT;
	unsigned long start = max(range->start, low);
	unsigned long end = min(range->end, high);
	bool drop = start < end && range->event != MMU_NOTIFY_PROTECTION_PAGE;

	pages_lock(&counters->pages);
	mmu_interval_set_seq(&counters->notifier, sequence);
	if (start < end && range->event == MMU_NOTIFY_UNMAP)
		end_regions(counters, config, start, end);
	if (drop)
		profil_pages_drop(&counters->pages,
				  counters_index(counters, start),
				  counters_index(counters, end - 1));
	pages_unlock(&counters->pages);
	return drop;
}

unsigned int profil_counters_take(struct counters *counters,
				  struct page **pages, unsigned int nr,
				  bool all)
{
	return profil_pages_take(&counters->pages, pages, nr, all);
}

void profil_counters_unpin(struct counters *counters,
			   const struct config *config, struct mm_struct *mm,
			   struct page **pages, unsigned int nr)
{
	unsigned long due = profil_folios_remove(&counters->folios, pages, nr);

	profil_pins_put(pages, nr);
	profil_memlock_uncharge(&config->memlock, mm, due);
	atomic_long_sub(nr, &counters->pinned);
}

void profil_counters_detach(struct counters *counters)
{
	if (counters->open)
		mmu_interval_notifier_remove(&counters->notifier);
}

void profil_counters_destroy(struct counters *counters)
{
	profil_pages_destroy(&counters->pages);
	profil_folios_destroy(&counters->folios);
}
