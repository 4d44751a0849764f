// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "half.h"

/* The counters that are searched for a key. */
#define HALF_PROBES 32

static void half_wake(struct irq_work *work)
{
	wake_up_interruptible(container_of(work, struct half, wake)->readers);
}

/* A counter gets its key once, and a half is half full at one counter only. */
struct profil_counter *
profil_half_search(struct half *half, struct profil_counter *counter, u64 key)
{
	unsigned int probe;

	for (probe = 0; probe < HALF_PROBES; probe++) {
		u64 seen = READ_ONCE(counter->key) ?:
				   cmpxchg64_relaxed(&counter->key, 0, key);

		if (!seen &&
		    atomic_inc_return(&half->used) == 1 << (half->log2 - 1))
			irq_work_queue(&half->wake);
		if (!seen || seen == key)
			return counter;
		if (++counter == half->counters + (1UL << half->log2))
			counter = half->counters;
	}
	return NULL;
}

int profil_half_init(struct half *half, unsigned int log2,
		     wait_queue_head_t *readers)
{
	half->log2 = log2;
	half->shift = 64 - log2;
	half->readers = readers;
	half->multiplier = get_random_u64() | 1;
	init_irq_work(&half->wake, half_wake);
	profil_names_init(&half->names, half_names_bytes(log2), &half->wake);
	return profil_ranges_init(&half->ranges, log2);
}

void profil_half_free(struct half *half)
{
	irq_work_sync(&half->wake);
	profil_names_clear(&half->names);
	profil_ranges_free(&half->ranges);
}

/* Of up to 256 MiB */
static void half_clear_counters(struct half *half)
{
	size_t at, size = half_bytes(half->log2);
	size_t step = min_t(size_t, size, SZ_1M);

	for (at = 0; at < size; at += step) {
		memset((void *)half->counters + at, 0, step);
		cond_resched();
	}
}

void profil_half_clear(struct half *half)
{
	int cpu;

	if (atomic_read(&half->used))
		half_clear_counters(half);
	atomic_set(&half->used, 0);
	half->multiplier = get_random_u64() | 1;
	profil_names_clear(&half->names);
	profil_ranges_clear(&half->ranges);
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
