// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/nodemask.h>

#include "books.h"
#include "works.h"

struct workqueue_struct *profil_workqueue;
struct workqueue_struct *profil_tree_workqueue;
static unsigned int max_works; /* of a user; constant after profil_works_init() */

void profil_works_queue(struct works *works, struct user_work *work)
{
	unsigned long flags;
	bool queue;

	book_add(BOOK_WORKS, 1);
	raw_spin_lock_irqsave(&works->lock, flags);
	queue = works->nr < max_works;
	if (queue)
		works->nr++;
	else
		list_add_tail(&work->node, &works->waiting);
	raw_spin_unlock_irqrestore(&works->lock, flags);
	if (queue)
		queue_work(profil_workqueue, &work->work);
}

/* The first of the works that wait takes the place of the one that ends. */
void profil_works_done(struct works *works)
{
	struct user_work *next;

	book_add(BOOK_WORKS, -1);
	raw_spin_lock_irq(&works->lock);
	next = list_first_entry_or_null(&works->waiting, struct user_work,
					node);
	if (next)
		list_del(&next->node);
	else
		works->nr--;
	raw_spin_unlock_irq(&works->lock);
	if (next)
		queue_work(profil_workqueue, &next->work);
}

/*
 * As many works as use the CPUs, and a few more that wait for an invalidation, so that the
 * programs of one user hardly wait for each other; at most a quarter of the places of one
 * NUMA node, among which the kernel may divide them: programs choose their node.
 */
int profil_works_init(void)
{
	max_works = min_t(unsigned int, 16 + 2 * num_online_cpus(),
			  WQ_MAX_ACTIVE / 4 / num_online_nodes());
	max_works = max(max_works, 1U);
	profil_workqueue = alloc_workqueue("profil", WQ_UNBOUND, WQ_MAX_ACTIVE);
	if (!profil_workqueue)
		return -ENOMEM;
	profil_tree_workqueue = alloc_workqueue("profil_trees", WQ_UNBOUND, 0);
	if (profil_tree_workqueue)
		return 0;
	destroy_workqueue(profil_workqueue);
	return -ENOMEM;
}

void profil_works_exit(void)
{
	destroy_workqueue(profil_tree_workqueue);
	destroy_workqueue(profil_workqueue);
}
