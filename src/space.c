// SPDX-License-Identifier: GPL-2.0-only
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/profil.h>
#include <linux/random.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "hook.h"
#include "space.h"

atomic_long_t profil_generations[1 << GENERATION_BITS];

/*
 * The kernel links uprobe_mmap() and uprobe_munmap() by their names, from mm/ to
 * kernel/events/: one that were to inline some calls of them would have no other sign of
 * it. It calls them for mappings of files only. One that is not executable counts, too:
 * mprotect(), which need not call either, may make it executable.
 */
static __always_inline void mapping_changed(const struct vm_area_struct *vma)
{
	atomic_long_inc(space_generation_at(vma->vm_mm));
}

DEFINE_HOOK(mapped, "uprobe_mmap", mapping_changed(hook_argument(0)));
DEFINE_HOOK(unmapped, "uprobe_munmap", mapping_changed(hook_argument(0)));

static unsigned int places_log2(unsigned int log2, bool has_callers)
{
	return clamp_t(unsigned int, log2 - PLACES_PER_COUNTER_LOG2,
		       PLACES_MIN_LOG2, PLACES_MAX_LOG2) -
	       (has_callers ? PLACES_PER_SPACE_LOG2 : 0);
}

/* The limit of the memory of spaces, that of a whole one at least */
static size_t spaces_bytes(unsigned int log2)
{
	return SZ_16K + (sizeof(struct profil_counter) << (log2 - 3));
}

size_t profil_text_cache_max_bytes(unsigned int log2, bool has_callers)
{
	size_t places = 1UL << places_log2(log2, has_callers);

	return places * sizeof(void *) +
	       (has_callers ? spaces_bytes(log2) :
			      places * sizeof(struct text_range));
}

int profil_text_cache_init(struct text_cache *cache, unsigned int log2,
			   bool has_callers)
{
	cache->log2 = places_log2(log2, has_callers);
	cache->shift = 64 - cache->log2;
	cache->multiplier = get_random_u64() | 1;
	cache->max_bytes = spaces_bytes(log2);
	spin_lock_init(&cache->lock);
	cache->places = kvzalloc(sizeof(*cache->places) << cache->log2,
				 GFP_KERNEL_ACCOUNT);
	return cache->places ? 0 : -ENOMEM;
}

void profil_text_cache_clear(struct text_cache *cache)
{
	unsigned int i;

	if (!cache->places)
		return;
	for (i = 0; i < 1U << cache->log2; i++) {
		kfree(rcu_dereference_raw(cache->places[i]));
		RCU_INIT_POINTER(cache->places[i], NULL);
		cond_resched();
	}
	cache->bytes = 0;
	cache->multiplier = get_random_u64() | 1;
}

void profil_text_cache_free(struct text_cache *cache)
{
	profil_text_cache_clear(cache);
	kvfree(cache->places);
}

void profil_range_add(struct text_cache *cache, struct text_range *range,
		      u64 pc)
{
	struct text_range __rcu **place =
		range_place(cache, &range->identity, pc);
	struct text_range *old =
		unrcu_pointer(xchg(place, RCU_INITIALIZER(range)));

	if (old)
		kfree_rcu(old, rcu);
}

static atomic64_t last_epoch;

static size_t space_bytes(unsigned int nr)
{
	return struct_size((struct space *)NULL, ranges, nr);
}

/* Put @space, or NULL, in a place. Under the lock */
static void space_replace(struct text_cache *cache, struct space __rcu **place,
			  struct space *space)
{
	struct space *old = rcu_dereference_raw(*place);

	lockdep_assert_held(&cache->lock);
	rcu_assign_pointer(*place, space);
	if (space)
		cache->bytes += space_bytes(space->nr);
	if (!old)
		return;
	cache->bytes -= space_bytes(old->nr);
	kfree_rcu(old, rcu);
}

static u64 range_end(const struct space_range *range)
{
	return range->mapped.start + range->mapped.size;
}

void profil_space_take_over(struct space *draft, const struct space *old)
{
	const struct space_range *range = old->ranges, *end = range + old->nr;
	const struct space_range added = draft->ranges[0], *dropped = end;

	if (old->nr == SPACE_MAX_RANGES)
		dropped = range + get_random_u32() % SPACE_MAX_RANGES;
	draft->nr = 0;
	for (; range < end && range_end(range) <= added.mapped.start; range++)
		if (range != dropped)
			draft->ranges[draft->nr++] = *range;
	draft->ranges[draft->nr++] = added;
	for (; range < end; range++)
		if (range != dropped &&
		    range->mapped.start >= range_end(&added))
			draft->ranges[draft->nr++] = *range;
}

/* Has each PC of @old the same key and rows in @now? */
static bool range_has(const struct space_range *now,
		      const struct space_range *old)
{
	const struct mapped *a = &now->mapped, *b = &old->mapped;

	return a->start <= b->start && range_end(now) >= range_end(old) &&
	       a->mask == b->mask &&
	       mapped_key(a, b->start) == mapped_key(b, b->start) &&
	       now->rows == old->rows && now->rule == old->rule;
}

/* Is each range of @old in one of the draft? Both are sorted. */
static bool space_agrees(const struct space *old, const struct space *draft)
{
	const struct space_range *now = draft->ranges, *end = now + draft->nr;
	unsigned int i;

	for (i = 0; i < old->nr; i++) {
		while (now < end &&
		       range_end(now) <= old->ranges[i].mapped.start)
			now++;
		if (now == end || !range_has(now, &old->ranges[i]))
			return false;
	}
	return true;
}

/* Other rows may be where freed ones were. */
static u64 epoch_of(const struct space *draft, const struct space *old)
{
	if (old && old->rows_version == draft->rows_version &&
	    space_agrees(old, draft))
		return old->epoch;
	return atomic64_inc_return(&last_epoch);
}

int profil_space_add(struct text_cache *cache, const struct space *draft)
{
	unsigned int mask = (1U << cache->log2) - 1;
	struct space *space =
		kmemdup(draft, space_bytes(draft->nr),
			GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN);

	if (!space)
		return -ENOMEM;
	spin_lock(&cache->lock);
	space->epoch = epoch_of(draft, space_find(cache, &draft->identity));
	space_replace(cache, space_place(cache, &draft->identity), space);
	while (cache->bytes > cache->max_bytes)
		space_replace(cache, &cache->spaces[cache->next++ & mask],
			      NULL);
	spin_unlock(&cache->lock);
	return 0;
}
