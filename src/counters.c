// SPDX-License-Identifier: GPL-2.0-only
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "config.h"
#include "counters.h"
#include "pins.h"

/* Buffers of at most this many pages in all are pinned at START. */
#define PIN_AT_START 64

/* How many pages one call to pin asks for; they are on the stack. */
#define PIN_BATCH 32

/*
 * Pinning a page may itself invalidate it (copy on write, migration out of a
 * movable zone), once or twice. A program that never stops changing the
 * mapping does not keep us here for ever.
 */
#define PIN_TRIES 64

/* The tag on a page pointer that is dropped, and its mark for finding it. */
#define DROPPED 1UL
#define DROPPED_MARK XA_MARK_0

void counters_init(struct counters *counters, u8 *states)
{
	counters->states = states;
	xa_init_flags(&counters->pages, XA_FLAGS_ACCOUNT);
	atomic_long_set(&counters->pinned, 0);
}

static unsigned long index_of(const struct counters *counters, u64 addr)
{
	return (unsigned long)(addr >> PAGE_SHIFT) - counters->first;
}

static u8 first_state(const struct config *config, u32 region)
{
	return region_counts(&config->map.regions[region], config->map.shift) ?
		       PROFIL_REGION_ON :
		       PROFIL_REGION_OFF;
}

void counters_begin(struct counters *counters, const struct config *config,
		    const struct counters *parent)
{
	u32 i;

	for (i = 0; i < config->map.nr_regions; i++)
		counters->states[i] = parent ? READ_ONCE(parent->states[i]) :
					       first_state(config, i);
}

u8 counters_state(const struct counters *counters, u32 region)
{
	return READ_ONCE(counters->states[region]);
}

static bool region_live(const struct counters *counters, u32 region)
{
	u8 state = READ_ONCE(counters->states[region]);

	return state == PROFIL_REGION_ON || state == PROFIL_REGION_LIMIT;
}

/* A region that has ended stays so, for the first reason there was. */
static void set_state(struct counters *counters, u32 region, u8 state)
{
	lockdep_assert_held(&counters->pages.xa_lock);
	if (region_live(counters, region))
		WRITE_ONCE(counters->states[region], state);
}

/*
 * Adding one
 */

/* A counter in user memory, of one of the three widths. */
union counter {
	u16 half;
	u32 word;
	u64 longword;
};

static u64 load(const union counter *counter, unsigned int shift)
{
	switch (shift) {
	case 1:
		return READ_ONCE(counter->half);
	case 2:
		return READ_ONCE(counter->word);
	default:
		return READ_ONCE(counter->longword);
	}
}

static bool replace(union counter *counter, unsigned int shift, u64 old,
		    u64 new)
{
	switch (shift) {
	case 1:
		return cmpxchg(&counter->half, old, new) == old;
	case 2:
		return cmpxchg(&counter->word, old, new) == old;
	default:
		return cmpxchg(&counter->longword, old, new) == old;
	}
}

/* Other CPUs add to it, and the program may write what it likes. */
static enum counter_result add_one(union counter *counter, unsigned int shift,
				   u64 full)
{
	u64 old;

	do {
		old = load(counter, shift);
		if (old >= full)
			return COUNTER_WAS_FULL;
	} while (!replace(counter, shift, old, old + 1));
	return old + 1 == full ? COUNTER_REACHED_FULL : COUNTER_ADDED;
}

static enum counter_result add_to_page(struct page *page, u64 addr,
				       const struct config *config)
{
	void *mapped = kmap_local_page(page);
	enum counter_result result;

	result = add_one(mapped + offset_in_page(addr), config->map.shift,
			 config->full);
	kunmap_local(mapped);
	return result;
}

enum counter_result counters_add(struct counters *counters,
				 const struct config *config,
				 const struct region_hit *hit)
{
	void *entry;

	if (!region_live(counters, hit->region))
		return COUNTER_ENDED;
	if (!smp_load_acquire(&counters->open)) /* see counters_open() */
		return COUNTER_ABSENT;
	entry = xa_load(&counters->pages, index_of(counters, hit->counter));
	if (!entry || xa_pointer_tag(entry))
		return COUNTER_ABSENT;
	return add_to_page(entry, hit->counter, config);
}

/*
 * Pinning
 */

static void unreserve(struct counters *counters, unsigned long index,
		      unsigned int nr)
{
	while (nr--)
		xa_release(&counters->pages, index + nr);
}

/* Make room, so that storing under the lock allocates nothing. */
static int reserve(struct counters *counters, unsigned long index,
		   unsigned int nr)
{
	unsigned int i;
	int err;

	for (i = 0; i < nr; i++) {
		err = xa_reserve(&counters->pages, index + i, GFP_KERNEL);
		if (err) {
			unreserve(counters, index, i);
			return err;
		}
	}
	return 0;
}

/*
 * Whether the pages that were pinned after @sequence was read are still those
 * that are mapped there; then samples may have them.
 */
static bool publish(struct counters *counters, unsigned long index,
		    struct page **pages, unsigned int nr,
		    unsigned long sequence)
{
	bool valid;
	unsigned int i;

	xa_lock(&counters->pages);
	valid = !mmu_interval_read_retry(&counters->notifier, sequence);
	for (i = 0; valid && i < nr; i++)
		__xa_store(&counters->pages, index + i, pages[i], 0);
	xa_unlock(&counters->pages);
	return valid;
}

static int pin_reserved(struct counters *counters, struct mm_struct *mm,
			unsigned long index, unsigned int nr)
{
	unsigned long addr = (counters->first + index) << PAGE_SHIFT;
	struct page *pages[PIN_BATCH];
	int tries;

	for (tries = 0; tries < PIN_TRIES; tries++) {
		unsigned long sequence;
		int err;

		sequence = mmu_interval_read_begin(&counters->notifier);
		err = pins_get(mm, addr, nr, pages);
		if (err)
			return err;
		if (publish(counters, index, pages, nr, sequence))
			return 0;
		unpin_user_pages(pages, nr);
	}
	return -EAGAIN;
}

/*
 * Pin @nr absent pages, at most PIN_BATCH. One caller at a time: START before
 * the session is published, then its work.
 */
static int pin(struct counters *counters, const struct config *config,
	       struct mm_struct *mm, unsigned long index, unsigned int nr)
{
	int err;

	if (!pins_charge(mm, nr, config->max_pinned))
		return -ENOMEM;
	err = reserve(counters, index, nr);
	if (err)
		goto uncharge;
	err = pin_reserved(counters, mm, index, nr);
	if (err)
		goto unreserve;
	atomic_long_add(nr, &counters->pinned);
	return 0;
unreserve:
	unreserve(counters, index, nr);
uncharge:
	pins_uncharge(mm, nr);
	return err;
}

/* How many pages from @index on, at most a batch and up to @last, are absent. */
static unsigned int absent_run(struct counters *counters, unsigned long index,
			       unsigned long last)
{
	unsigned int nr = 0;

	while (nr < PIN_BATCH && index + nr <= last &&
	       !xa_load(&counters->pages, index + nr))
		nr++;
	return nr;
}

static int pin_range(struct counters *counters, const struct config *config,
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
 * Look at a buffer that is too large to pin: mapped and writable from end to
 * end, and of each mapping in it one page, to know that it can be pinned.
 */
static int look_at(struct counters *counters, const struct config *config,
		   struct mm_struct *mm, unsigned long addr, unsigned long end)
{
	while (addr < end) {
		unsigned long index = index_of(counters, addr);
		struct vm_area_struct *vma;
		unsigned long next = 0;
		int err;

		if (mmap_read_lock_killable(mm))
			return -EINTR;
		vma = find_vma(mm, addr);
		if (vma && vma->vm_start <= addr && vma->vm_flags & VM_WRITE)
			next = vma->vm_end;
		mmap_read_unlock(mm);
		if (!next)
			return -EFAULT;
		err = pin_range(counters, config, mm, index, index);
		if (err)
			return err;
		addr = next;
	}
	return 0;
}

static int open_region(struct counters *counters, const struct config *config,
		       struct mm_struct *mm, u32 i)
{
	const struct profil_region *region = &config->map.regions[i];
	u64 end = region->base + region->size;

	if (!region_live(counters, i))
		return 0;
	if (counters->small)
		return pin_range(counters, config, mm,
				 index_of(counters, region->base),
				 index_of(counters, end - 1));
	return look_at(counters, config, mm, region->base, end);
}

static int open_regions(struct counters *counters, const struct config *config,
			struct mm_struct *mm)
{
	u32 i;

	for (i = 0; i < config->map.nr_regions; i++) {
		int err = open_region(counters, config, mm, i);

		cond_resched();
		if (fatal_signal_pending(current))
			return -EINTR;
		/* The program changes the buffer while it hands it over. */
		if (err == -EAGAIN)
			err = -EFAULT;
		if (err)
			return err;
	}
	return 0;
}

/*
 * The pages from the first to the last buffer. A session without any keeps
 * the lowest page: its notifier still has to tell of the end of the mm.
 */
static void set_bounds(struct counters *counters, const struct config *config)
{
	u64 low = U64_MAX, high = 0, pages = 0;
	u32 i;

	for (i = 0; i < config->map.nr_regions; i++) {
		const struct profil_region *region = &config->map.regions[i];

		if (!region_live(counters, i))
			continue;
		low = min(low, region->base);
		high = max(high, region->base + region->size - 1);
		pages += DIV_ROUND_UP_ULL(region->size, PAGE_SIZE);
	}
	low = min(low, high);
	counters->small = pages <= PIN_AT_START;
	counters->first = low >> PAGE_SHIFT;
	counters->last = (high >> PAGE_SHIFT) - counters->first;
}

/**
 * struct insertion - a notifier that is to be inserted
 * @work: for a worker to do it
 * @counters: whose notifier it is
 * @mm: where it goes
 * @ops: what it calls
 * @err: what became of it
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
 * The first notifier of an mm takes all of its locks, and gives up when any
 * signal is pending. A worker has none; only a fatal one is waited for.
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

int counters_open(struct counters *counters, const struct config *config,
		  struct mm_struct *mm,
		  const struct mmu_interval_notifier_ops *ops, bool lazy)
{
	int err;

	set_bounds(counters, config);
	err = insert_notifier(counters, mm, ops);
	if (err)
		return err;
	/* Samples that see it open see the bounds. */
	smp_store_release(&counters->open, true);
	return lazy ? 0 : open_regions(counters, config, mm);
}

/*
 * A region ends when its counter can never be written; running into the
 * limit, or out of memory, may pass.
 */
static void note_failure(struct counters *counters, u32 region, int err)
{
	xa_lock(&counters->pages);
	if (err == -EFAULT)
		set_state(counters, region, PROFIL_REGION_FAULT);
	else if (err == -ENOMEM)
		set_state(counters, region, PROFIL_REGION_LIMIT);
	xa_unlock(&counters->pages);
}

/* Under the lock nothing is dropped, so no sample protocol is needed. */
static enum counter_result add_locked(struct counters *counters,
				      const struct config *config,
				      const struct region_hit *hit)
{
	enum counter_result result;

	xa_lock(&counters->pages);
	result = counters_add(counters, config, hit);
	xa_unlock(&counters->pages);
	return result;
}

enum counter_result counters_add_pinning(struct counters *counters,
					 const struct config *config,
					 const struct region_hit *hit)
{
	unsigned long index = index_of(counters, hit->counter);
	struct mm_struct *mm = counters->notifier.mm;
	int tries;

	for (tries = 0; tries < PIN_TRIES; tries++) {
		enum counter_result result;
		int err;

		result = add_locked(counters, config, hit);
		if (result != COUNTER_ABSENT)
			return result;
		if (xa_get_mark(&counters->pages, index, DROPPED_MARK))
			return COUNTER_DROPPED;
		err = pin_range(counters, config, mm, index, index);
		if (err) {
			note_failure(counters, hit->region, err);
			return COUNTER_ABSENT;
		}
	}
	return COUNTER_ABSENT;
}

/*
 * Dropping
 */

/* End the regions that have a counter in pages from @start up to @end. */
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

static bool drop_pages(struct counters *counters, unsigned long index,
		       unsigned long last)
{
	XA_STATE(xas, &counters->pages, index);
	bool dropped = false;
	void *entry;

	xas_for_each(&xas, entry, last) {
		if (xa_is_zero(entry) || xa_pointer_tag(entry))
			continue;
		xas_store(&xas, xa_tag_pointer(entry, DROPPED));
		xas_set_mark(&xas, DROPPED_MARK);
		dropped = true;
	}
	return dropped;
}

/*
 * PROTECTION_PAGE is fork, which gives the child copies of pinned pages and
 * leaves ours alone, or writeback, which a pinned page is made dirty after.
 */
bool counters_drop(struct counters *counters, const struct config *config,
		   const struct mmu_notifier_range *range,
		   unsigned long sequence)
{
	unsigned long low = counters->first << PAGE_SHIFT;
	unsigned long high = (counters->first + counters->last + 1)
			     << PAGE_SHIFT;
	unsigned long start = max(range->start, low);
	unsigned long end = min(range->end, high);
	bool dropped = false;

	xa_lock(&counters->pages);
	mmu_interval_set_seq(&counters->notifier, sequence);
	if (start < end) {
		if (range->event == MMU_NOTIFY_UNMAP)
			end_regions(counters, config, start, end);
		if (range->event != MMU_NOTIFY_PROTECTION_PAGE)
			dropped = drop_pages(counters,
					     index_of(counters, start),
					     index_of(counters, end - 1));
	}
	xa_unlock(&counters->pages);
	return dropped;
}

unsigned int counters_take(struct counters *counters, struct page **pages,
			   unsigned int nr, bool all)
{
	xa_mark_t filter = all ? XA_PRESENT : DROPPED_MARK;
	unsigned long index = 0;
	unsigned int taken = 0;
	void *entry;

	for (entry = xa_find(&counters->pages, &index, ULONG_MAX, filter);
	     entry && taken < nr;
	     entry = xa_find_after(&counters->pages, &index, ULONG_MAX,
				   filter)) {
		entry = xa_erase(&counters->pages, index);
		pages[taken++] = xa_untag_pointer(entry);
	}
	return taken;
}

void counters_unpin(struct counters *counters, struct mm_struct *mm,
		    struct page **pages, unsigned int nr)
{
	pins_put(pages, nr);
	pins_uncharge(mm, nr);
	atomic_long_sub(nr, &counters->pinned);
}

void counters_detach(struct counters *counters)
{
	if (counters->open)
		mmu_interval_notifier_remove(&counters->notifier);
}

void counters_destroy(struct counters *counters)
{
	xa_destroy(&counters->pages);
}
