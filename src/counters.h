/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters: the user pages that hold the counters of a session. Only counters.c
 * and buffers.c treat counters as user memory.
 *
 * A page is pinned before it is written. Pages of small buffers are pinned at
 * START, others when the first sample falls on them. When the program changes
 * the mapping of a page, profil_counters_drop() marks the page as dropped: no
 * sample uses it any more. Process context then takes the page out,
 * profil_pages_take(), and unpins it.
 */
#ifndef PROFIL_COUNTERS_H
#define PROFIL_COUNTERS_H

#include <linux/mm.h>
#include <linux/mmu_notifier.h>
#include <linux/types.h>

#include "config.h"
#include "counter.h"
#include "folios.h"
#include "pages.h"

/**
 * struct counters - the counter pages of a session
 * @config: that of the session, from profil_counters_begin() on
 * @notifier: called for changes to the mappings of the buffers; valid while
 *	@open, and its mm from then on
 * @pages: pinned pages, from the first to the last page of all buffers. Their
 *	lock also guards the sequence of @notifier and the writing of @states;
 *	samples read without it
 * @small: all buffers together are small enough to be pinned at START
 * @folios: the folios that contain @pages, which are charged
 * @pinned: the number of pinned pages in @pages
 * @states: PROFIL_REGION_* of each region, from profil_counters_begin() on
 * @open: @notifier is in place; until then no page is pinned
 */
struct counters {
	const struct config *config;
	struct mmu_interval_notifier notifier;
	struct pages pages;
	bool small;
	struct folios folios;
	atomic_long_t pinned;
	u8 *states;
	bool open;
};

void profil_counters_init(struct counters *counters, u8 *states);

/*
 * Set the bounds of @counters and the states of the regions: those of @parent,
 * since other memory may by now be where a region of the parent has ended;
 * without a parent, those of START. Any context.
 */
void profil_counters_begin(struct counters *counters,
			   const struct config *config,
			   const struct counters *parent);

/*
 * Insert the notifier in @mm: from here on samples count on pinned pages, and
 * the kernel calls @ops for changes to the mappings. The caller holds mm_users
 * but not mmap_lock. ENOMEM; EINTR when a signal is pending and the notifier is
 * the first of @mm.
 */
int profil_counters_watch(struct counters *counters, struct mm_struct *mm,
			  const struct mmu_interval_notifier_ops *ops);

/*
 * Pin the absent ones of the pages that have the counters of @region from @addr
 * to @last. Under the lock of the session. EFAULT, ENOMEM and EINTR as START; EFAULT
 * also when the region has ended; EAGAIN when the program keeps changing the mapping.
 */
int profil_counters_pin(struct counters *counters, u32 region, u64 addr,
			u64 last);

static inline unsigned long counters_page(u64 addr)
{
	return addr >> PAGE_SHIFT;
}

static inline bool counters_live(const struct counters *counters, u32 region)
{
	u8 state = READ_ONCE(counters->states[region]);

	return state == PROFIL_REGION_ON || state == PROFIL_REGION_LIMIT;
}

/*
 * Hard interrupt: increment a counter. The caller has entered the slot of its
 * CPU, so that profil_slot_wait() waits for it.
 */
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
 * Pin the page of a counter if it is absent, in a task of the mm, with @open. False
 * if it cannot be pinned: the region has ended, is marked LIMIT, or is changed
 * too often.
 */
bool profil_counters_pin_for(struct counters *counters,
			     const struct region_hit *hit);

/*
 * From the notifier's callback: drop the pages in @range. True when samples
 * under way may write to pages of @range until profil_slot_wait() returns, pages
 * dropped by an earlier call included. A sample that finds no page writes
 * nothing, so where the table has none there is none to wait for.
 */
bool profil_counters_drop(struct counters *counters,
			  const struct mmu_notifier_range *range,
			  unsigned long sequence);

/* Unpin pages that profil_pages_take() has taken out, when no sample writes. */
void profil_counters_unpin(struct counters *counters, struct page **pages,
			   unsigned int nr);

/*
 * End a region, or mark it LIMIT; without effect on a region that has ended.
 * Does not sleep.
 */
void profil_counters_end_region(struct counters *counters, u32 region,
				u8 state);

/* No callback runs after this. Sleeps; not to be called from a callback. */
void profil_counters_detach(struct counters *counters);

/* The last call: all pages have been taken out. */
void profil_counters_destroy(struct counters *counters);

#endif /* PROFIL_COUNTERS_H */
