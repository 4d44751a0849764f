/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters: the user pages that hold the counters of a session. Only counters.c treats
 * counters as user memory.
 *
 * A page is pinned before it is written: pages of small buffers at START, others when the
 * first sample falls on them. When the program changes the mapping of a page,
 * profil_counters_drop() marks the page as dropped, and no sample uses it any more.
 * Process context then takes it out, profil_pages_take(), and unpins it.
 */
#ifndef PROFIL_COUNTERS_H
#define PROFIL_COUNTERS_H

#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/types.h>

#include "config.h"
#include "counter.h"
#include "pages.h"

/* The counter pages of a session */
struct counters {
	/* that of the session, from profil_counters_begin() on */
	const struct config *config;
	/*
	 * called for changes to the mappings of the buffers; valid while @open, and its mm from
	 * then on
	 */
	struct mmu_interval_notifier notifier;
	/*
	 * pinned pages, from the first to the last page of all buffers. Their lock also guards
	 * the sequence of @notifier and the writing of @states
	 */
	struct pages pages;
	bool small; /* all buffers together are small enough to be pinned at START */
	/* the pinned pages of each large folio, for pins.h */
	struct xarray large;
	atomic_long_t pinned; /* the number of pinned pages in @pages */
	u8 *states; /* PROFIL_REGION_* of each region */
	bool open; /* @notifier is in place; until then no page is pinned */
};

/*
 * Set the bounds of @counters, which is zero, and in @states those of the regions: those
 * of @parent, since other memory may by now be where a region of it has ended, or those of
 * START. Any context.
 */
void profil_counters_begin(struct counters *counters, u8 *states,
			   const struct config *config,
			   const struct counters *parent);

/*
 * Insert the notifier in @mm: from here on samples count on pinned pages. The caller
 * holds mm_users but not mmap_lock. ENOMEM; EINTR when a signal is pending and the
 * notifier is the first of @mm.
 */
int profil_counters_watch(struct counters *counters, struct mm_struct *mm,
			  const struct mmu_interval_notifier_ops *ops);

/*
 * Once the mappings are watched: pin all pages of small buffers, and one page in each
 * mapping of large ones, which shows that it can be. The caller holds mm_users but not
 * mmap_lock. EFAULT when a buffer is unmapped, read-only or cannot be pinned; ENOMEM;
 * EINTR when a fatal signal is pending. Under the lock of the session.
 */
int profil_counters_pin_buffers(struct counters *counters);

/*
 * In a forked child, before its mappings are watched: end the regions that are
 * not mapped from end to end. EINTR when a fatal signal is pending.
 */
int profil_counters_inherit(struct counters *counters, struct mm_struct *mm);

static inline unsigned long counters_page(u64 addr)
{
	return addr >> PAGE_SHIFT;
}

static inline bool counters_live(const struct counters *counters, u32 region)
{
	u8 state = READ_ONCE(counters->states[region]);

	return state == PROFIL_REGION_ON || state == PROFIL_REGION_LIMIT;
}

/* Increment a counter. Hard interrupt, slot entered. */
static __always_inline enum counter_result
counters_add(struct counters *counters, const struct config *config,
	     const struct region_hit *hit)
{
	void *entry;

	if (!counters_live(counters, hit->region))
		return COUNTER_ENDED;
	entry = pages_entry(&counters->pages, counters_page(hit->counter));
	if (!entry || pages_dropped(entry))
		return COUNTER_ABSENT;
	return counter_add(entry + offset_in_page(hit->counter),
			   config->map.shift, config->counter_max);
}

/* The same in process context, without a slot. */
enum counter_result profil_counters_add(struct counters *counters,
					const struct region_hit *hit);

/*
 * Pin the page of a counter if it is absent, in a task of the mm, with @open. False if
 * the region has ended, is marked LIMIT, or is changed too often.
 */
bool profil_counters_pin_for(struct counters *counters,
			     const struct region_hit *hit);

/*
 * From the notifier: drop the pages in @range. True when samples under way may write to
 * pages of @range, those dropped by an earlier call included, until profil_slot_wait().
 */
bool profil_counters_drop(struct counters *counters,
			  const struct mmu_notifier_range *range,
			  unsigned long sequence);

/* Unpin pages that profil_pages_take() has taken out, when no sample writes. */
void profil_counters_unpin(struct counters *counters, struct page **pages,
			   unsigned int nr);

/* No callback runs after this. Sleeps; not to be called from a callback. */
void profil_counters_detach(struct counters *counters);

/* The last call: all pages have been taken out. */
void profil_counters_destroy(struct counters *counters);

#endif /* PROFIL_COUNTERS_H */
