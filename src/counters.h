/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters: the user pages that a session's counters lie in. Nothing else
 * knows that counters are user memory.
 *
 * A page is pinned before it is written. Pages of small buffers are pinned at
 * START, others when the first sample falls on them. A page leaves when the
 * program changes its mapping (profil_counters_drop()); it is then marked, no sample
 * uses it any more, and process context unpins it (profil_counters_take()).
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
 * @notifier: tells of changes to the buffers' mappings; valid while @open
 * @pages: pinned page by user page number less @first. Their lock also guards
 *	the sequence of @notifier and the writing of @states; samples look
 *	without it
 * @first: the lowest user page number of all buffers
 * @last: the highest, less @first
 * @small: all buffers together are small enough to pin at START
 * @folios: those that the pages in @pages are in, which are charged
 * @pinned: how many pages in @pages are pinned
 * @states: PROFIL_REGION_* of each region, from the beginning on
 * @open: @notifier is in place; until then every counter is absent
 */
struct counters {
	struct mmu_interval_notifier notifier;
	struct pages pages;
	unsigned long first;
	unsigned long last;
	bool small;
	struct folios folios;
	atomic_long_t pinned;
	u8 *states;
	bool open;
};

void profil_counters_init(struct counters *counters, u8 *states);

/*
 * The states of the regions: as @parent has them, for what has ended there may
 * by now be other memory; without a parent, as at START. Any context.
 */
void profil_counters_begin(struct counters *counters,
			   const struct config *config,
			   const struct counters *parent);

/* Set @first, @last and @small by the regions that count. */
void profil_counters_set_bounds(struct counters *counters,
				const struct config *config);

/*
 * Insert the notifier in @mm: from here on samples count, on pinned pages, and
 * @ops is called for changes to the mappings. The caller holds mm_users but not
 * mmap_lock. ENOMEM; EINTR when a fatal signal is pending.
 */
int profil_counters_watch(struct counters *counters, struct mm_struct *mm,
			  const struct mmu_interval_notifier_ops *ops);

/*
 * Pin those of the pages @index to @last that are absent. One caller at a time:
 * START before the session is published, then its work. EFAULT, ENOMEM and EINTR
 * as profil_buffers_open(); EAGAIN when the program kept changing the mapping.
 */
int profil_counters_pin(struct counters *counters, const struct config *config,
			struct mm_struct *mm, unsigned long index,
			unsigned long last);

static inline unsigned long counters_index(const struct counters *counters,
					   u64 addr)
{
	return (unsigned long)(addr >> PAGE_SHIFT) - counters->first;
}

static inline bool counters_live(const struct counters *counters, u32 region)
{
	u8 state = READ_ONCE(counters->states[region]);

	return state == PROFIL_REGION_ON || state == PROFIL_REGION_LIMIT;
}

/* Hard interrupt: add one to a counter. The caller keeps off profil_slot_wait(). */
static inline enum counter_result counters_add(struct counters *counters,
					       const struct config *config,
					       const struct region_hit *hit)
{
	void *entry;

	if (!counters_live(counters, hit->region))
		return COUNTER_ENDED;
	if (!smp_load_acquire(&counters->open)) /* see profil_buffers_open() */
		return COUNTER_ABSENT;
	entry = pages_entry(&counters->pages,
			    counters_index(counters, hit->counter));
	if (!entry || pages_dropped(entry))
		return COUNTER_ABSENT;
	return counter_add(entry + offset_in_page(hit->counter),
			   config->map.shift, config->counter_max);
}

/*
 * Process context, mm_users held, open: the same, and pin the page if it is
 * absent. COUNTER_ABSENT is then final; if the page cannot be had the region
 * has ended, or is marked for the limit that was met. COUNTER_DROPPED asks to
 * take out dropped pages and call again.
 */
enum counter_result profil_counters_add_pinning(struct counters *counters,
						const struct config *config,
						const struct region_hit *hit);

/*
 * For the notifier's callback: take what @range invalidates away from samples.
 * True when @range may hold pages: a sample under way may still write to them
 * until profil_slot_wait() returns. That includes pages dropped by an earlier call.
 */
bool profil_counters_drop(struct counters *counters,
			  const struct config *config,
			  const struct mmu_notifier_range *range,
			  unsigned long sequence);

/*
 * Move dropped pages out into @pages, at most @nr; returns how many. After
 * profil_counters_detach(), with @all, those not dropped as well.
 */
unsigned int profil_counters_take(struct counters *counters,
				  struct page **pages, unsigned int nr,
				  bool all);
void profil_counters_unpin(struct counters *counters,
			   const struct config *config, struct mm_struct *mm,
			   struct page **pages, unsigned int nr);

/* End a region, or note LIMIT; without effect if it has ended. Sleeps not. */
void profil_counters_end_region(struct counters *counters, u32 region,
				u8 state);

/* The PROFIL_REGION_* state of a region. */
u8 profil_counters_state(const struct counters *counters, u32 region);

/* No callback runs or comes after this. Sleeps; never from a callback. */
void profil_counters_detach(struct counters *counters);

/* The last call: all pages have been taken. */
void profil_counters_destroy(struct counters *counters);

#endif /* PROFIL_COUNTERS_H */
