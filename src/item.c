// SPDX-License-Identifier: GPL-2.0-only
#include <linux/slab.h>

#include "item.h"

struct items *profil_items_alloc(void)
{
	struct items *items = kzalloc(sizeof(*items), GFP_KERNEL_ACCOUNT);
	int cpu, i;

	if (!items)
		return NULL;
	items->cpus = alloc_percpu_gfp(struct cpu_items, GFP_KERNEL_ACCOUNT);
	if (!items->cpus) {
		kfree(items);
		return NULL;
	}
	for_each_possible_cpu(cpu) {
		struct cpu_items *of_cpu = per_cpu_ptr(items->cpus, cpu);

		init_llist_head(&of_cpu->unused);
		init_llist_head(&of_cpu->reserved);
		for (i = 0; i < ITEMS_OF_CPU; i++) {
			of_cpu->items[i].cpu = cpu;
			items_give_back(items, &of_cpu->items[i]);
		}
	}
	return items;
}

void profil_items_free(struct items *items)
{
	if (items)
		free_percpu(items->cpus);
	kfree(items);
}
