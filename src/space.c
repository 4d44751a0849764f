// SPDX-License-Identifier: GPL-2.0-only
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "hook.h"
#include "space.h"

atomic_t profil_generations[1 << GENERATION_BITS];

/*
 * The kernel links uprobe_mmap() and uprobe_munmap() by their names, from mm/ to
 * kernel/events/: one that were to inline some calls of them would have no other sign of
 * it. It calls them for mappings of files only. One that is not executable counts, too:
 * mprotect(), which need not call either, may make it executable.
 */
static __always_inline void mapping_changed(const struct vm_area_struct *vma)
{
	atomic_inc(&profil_generations[hash_ptr(vma->vm_mm, GENERATION_BITS)]);
}

DEFINE_HOOK(mapped, "uprobe_mmap", mapping_changed(hook_argument(0)));
DEFINE_HOOK(unmapped, "uprobe_munmap", mapping_changed(hook_argument(0)));

static int attach_mapping_hook(struct hook *hook)
{
	int err = profil_hook_attach(hook);

	return err == -ENOENT ? -EOPNOTSUPP : err;
}

int profil_spaces_attach(void)
{
	int err = attach_mapping_hook(&mapped_hook);

	if (err)
		return err;
	err = attach_mapping_hook(&unmapped_hook);
	if (err)
		profil_hook_detach(&mapped_hook);
	return err;
}

void profil_spaces_detach(void)
{
	profil_hook_detach(&unmapped_hook);
	profil_hook_detach(&mapped_hook);
}

static unsigned int ranges_log2(unsigned int log2)
{
	return clamp_t(unsigned int, log2 - RANGES_PER_COUNTER_LOG2,
		       RANGES_MIN_LOG2, RANGES_MAX_LOG2);
}

size_t profil_ranges_max_bytes(unsigned int log2)
{
	return (sizeof(void *) + sizeof(struct text_range))
	       << ranges_log2(log2);
}

int profil_ranges_init(struct range_cache *cache, unsigned int log2)
{
	cache->log2 = ranges_log2(log2);
	cache->shift = 64 - cache->log2;
	cache->multiplier = get_random_u64() | 1;
	cache->ranges = __vmalloc(sizeof(*cache->ranges) << cache->log2,
				  GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	return cache->ranges ? 0 : -ENOMEM;
}

void profil_ranges_add(struct range_cache *cache, struct text_range *range,
		       u64 pc)
{
	struct text_range __rcu **place =
		range_place(cache, &range->identity, pc);
	struct text_range *old =
		unrcu_pointer(xchg(place, RCU_INITIALIZER(range)));

	if (old)
		kfree_rcu(old, rcu);
}

void profil_ranges_clear(struct range_cache *cache)
{
	unsigned int i;

	for (i = 0; i < 1U << cache->log2; i++) {
		kfree(rcu_dereference_raw(cache->ranges[i]));
		RCU_INIT_POINTER(cache->ranges[i], NULL);
		cond_resched();
	}
	cache->multiplier = get_random_u64() | 1;
}

void profil_ranges_free(struct range_cache *cache)
{
	if (cache->ranges)
		profil_ranges_clear(cache);
	vfree(cache->ranges);
}
