// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "hook.h"
#include "space.h"

atomic_t profil_generations[1 << GENERATION_BITS];

/*
 * The kernel links these functions by their names, from mm/ to kernel/events/. A
 * kernel that were to inline some calls of them would have no other sign of it.
 *
 * The kernel calls them for mappings of files only. One that is not executable
 * counts, too: mprotect(), which need not call either, may make it executable.
 */
static __always_inline void mapping_changed(const struct vm_area_struct *vma)
{
	atomic_inc(&profil_generations[hash_ptr(vma->vm_mm, GENERATION_BITS)]);
}

DEFINE_HOOK_WITH_ARGUMENT(mapped, "uprobe_mmap", 0, mapping_changed);
DEFINE_HOOK_WITH_ARGUMENT(unmapped, "uprobe_munmap", 0, mapping_changed);

static int attach(struct hook *hook)
{
	int err = profil_hook_attach(hook);

	return err == -ENOENT ? -EOPNOTSUPP : err;
}

int profil_spaces_attach(void)
{
	int err = attach(&mapped_hook);

	if (err)
		return err;
	err = attach(&unmapped_hook);
	if (err)
		profil_hook_detach(&mapped_hook);
	return err;
}

void profil_spaces_detach(void)
{
	profil_hook_detach(&unmapped_hook);
	profil_hook_detach(&mapped_hook);
}

const struct text_range *profil_space_search(struct space *space, u64 pc)
{
	unsigned int low = 0, high = space->nr;

	while (low < high) {
		unsigned int middle = (low + high) / 2;
		const struct text_range *range = &space->ranges[middle];

		if (pc < range->start) {
			high = middle;
		} else if (pc >= range->end) {
			low = middle + 1;
		} else {
			WRITE_ONCE(space->last, middle);
			return range;
		}
	}
	return NULL;
}

struct space_set *profil_spaces_alloc(void)
{
	return __vmalloc(sizeof(struct space_set) << SPACE_SET_BITS,
			 GFP_KERNEL_ACCOUNT | __GFP_ZERO);
}

/* Does @range stay in an entry that gets @fresh? */
static bool stays(const struct text_range *range,
		  const struct text_range *fresh)
{
	return range->end <= fresh->start || range->start >= fresh->end;
}

static unsigned int nr_staying(const struct space *old,
			       const struct text_range *fresh)
{
	unsigned int i, nr = 0;

	for (i = 0; old && i < old->nr; i++)
		nr += stays(&old->ranges[i], fresh);
	return nr < SPACE_MAX_RANGES ? nr : 0;
}

/* A copy of @old, which may be NULL, with @fresh in place of all that overlap */
static struct space *with_range(const struct space *old,
				const struct identity *identity,
				const struct text_range *fresh)
{
	unsigned int i, nr = nr_staying(old, fresh);
	struct text_range *to;
	struct space *space;

	space = kmalloc(struct_size(space, ranges, nr + 1),
			GFP_NOWAIT | __GFP_ACCOUNT | __GFP_NOWARN);
	if (!space)
		return NULL;
	space->identity = *identity;
	space->nr = nr + 1;
	space->last = 0;
	to = space->ranges;
	for (i = 0; nr && i < old->nr && old->ranges[i].start < fresh->start;
	     i++)
		if (stays(&old->ranges[i], fresh))
			*to++ = old->ranges[i];
	*to++ = *fresh;
	for (; nr && i < old->nr; i++)
		if (stays(&old->ranges[i], fresh))
			*to++ = old->ranges[i];
	return space;
}

/* Put @fresh in front of its set, in place of @old or of the last. */
static void put_in_front(struct space_set *set, const struct space *old,
			 struct space *fresh)
{
	struct space *next = fresh, *moved;
	int way;

	for (way = 0; way < SPACE_WAYS; way++) {
		moved = rcu_dereference_raw(set->ways[way]);
		rcu_assign_pointer(set->ways[way], next);
		next = moved;
		if (!moved || moved == old)
			break;
	}
	if (next)
		kfree_rcu(next, rcu);
}

void profil_spaces_add(struct space_set *sets, const struct identity *identity,
		       const struct text_range *range)
{
	const struct space *old = space_find(sets, identity);
	struct space *fresh = with_range(old, identity, range);

	if (fresh)
		put_in_front(space_set_of(sets, identity), old, fresh);
}

void profil_spaces_clear(struct space_set *sets)
{
	int i, way;

	for (i = 0; i < 1 << SPACE_SET_BITS; i++) {
		for (way = 0; way < SPACE_WAYS; way++)
			kfree(rcu_dereference_raw(sets[i].ways[way]));
		memset(&sets[i], 0, sizeof(sets[i]));
		cond_resched();
	}
}

void profil_spaces_free(struct space_set *sets)
{
	if (sets)
		profil_spaces_clear(sets);
	vfree(sets);
}
