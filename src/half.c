// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "half.h"
#include "names.h"
#include "space.h"

static void wake(struct irq_work *work)
{
	wake_up_interruptible(container_of(work, struct half, wake)->readers);
}

/* From one counter to the next it is half full only once. */
void profil_half_grown(struct half *half)
{
	if (atomic_inc_return(&half->used) == 1 << (half->log2 - 1))
		irq_work_queue(&half->wake);
}

int profil_half_init(struct half *half, unsigned int log2,
		     wait_queue_head_t *readers)
{
	half->log2 = log2;
	half->readers = readers;
	init_irq_work(&half->wake, wake);
	spin_lock_init(&half->lock);
	profil_names_init(half);
	half->outcomes = alloc_percpu_gfp(struct outcomes, GFP_KERNEL_ACCOUNT);
	half->sets = profil_spaces_alloc();
	return half->outcomes && half->sets ? 0 : -ENOMEM;
}

void profil_half_free(struct half *half)
{
	irq_work_sync(&half->wake);
	profil_names_clear(half);
	profil_spaces_free(half->sets);
	free_percpu(half->outcomes);
}

/* Of up to 256 MiB */
static void clear_counters(struct half *half)
{
	size_t at, step = min_t(size_t, half_max_bytes(half), SZ_1M);

	for (at = 0; at < half_max_bytes(half); at += step) {
		memset((void *)half->counters + at, 0, step);
		cond_resched();
	}
}

void profil_half_clear(struct half *half)
{
	int cpu;

	if (atomic_read(&half->used))
		clear_counters(half);
	atomic_set(&half->used, 0);
	profil_names_clear(half);
	profil_spaces_clear(half->sets);
	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(half->outcomes, cpu), 0,
		       sizeof(struct outcomes));
}

u64 profil_half_samples(const struct half *half, enum outcome outcome)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu_ptr(half->outcomes, cpu)->samples[outcome];
	return sum;
}
