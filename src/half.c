// SPDX-License-Identifier: GPL-2.0-only
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/minmax.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/vmalloc.h>

#include "half.h"

/* The counters that are searched for a key. */
#define HALF_PROBES 32

/* Different rules of a half that are kept, and the places that are searched for one */
#define HALF_RULES_LOG2 12
#define HALF_RULE_PROBES 8

static void half_wake(struct irq_work *work)
{
	wake_up_interruptible(container_of(work, struct half, wake)->readers);
}

/* A counter gets its key once, and a half is half full at one counter only. */
struct profil_counter *profil_half_search(struct half *half,
					  struct profil_counter *counter,
					  u64 key, bool is_spare)
{
	unsigned int probe;

	for (probe = 0; probe < HALF_PROBES; probe++) {
		u64 seen = READ_ONCE(counter->key);

		if (!seen && is_spare &&
		    atomic_read(&half->used) >= 3 << (half->log2 - 2))
			return NULL;
		seen = seen ?: cmpxchg64_relaxed(&counter->key, 0, key);
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

/* A place gets its rule once. */
static u32 rule_id(struct half *half, u64 rule)
{
	u32 probe, id = hash_64(rule, HALF_RULES_LOG2);

	for (probe = 0; probe < HALF_RULE_PROBES; probe++, id++) {
		u64 seen;

		id = (id & ((1 << HALF_RULES_LOG2) - 1)) ?: 1;
		seen = READ_ONCE(half->rules[id]) ?:
			       cmpxchg64(&half->rules[id], 0, rule);
		if (!seen || seen == rule)
			return id;
	}
	return 0;
}

void profil_half_set_rule(struct half *half, u32 slot, u64 rule)
{
	WRITE_ONCE(half->rule_ids[slot], rule_id(half, rule));
}

void profil_half_forget_rules(struct half *half)
{
	/* data race: a walk may find or keep a rule of rows that are loaded. */
	data_race(memset(half->rule_ids, 0,
			 sizeof(*half->rule_ids) << half->log2));
}

static size_t rule_bytes(unsigned int log2)
{
	return (sizeof(u16) << log2) + (sizeof(u64) << HALF_RULES_LOG2);
}

/* The limit of the memory for names */
static size_t names_bytes(unsigned int log2)
{
	return min_t(size_t, half_bytes(log2), SZ_32M);
}

size_t profil_half_max_bytes(unsigned int log2, bool has_callers)
{
	return half_bytes(log2) + names_bytes(log2) +
	       (has_callers ? rule_bytes(log2) : 0) +
	       profil_text_cache_max_bytes(log2, has_callers);
}

int profil_half_init(struct half *half, unsigned int log2, bool has_callers,
		     wait_queue_head_t *readers)
{
	half->log2 = log2;
	half->shift = 64 - log2;
	half->readers = readers;
	half->multiplier = get_random_u64() | 1;
	init_irq_work(&half->wake, half_wake);
	profil_names_init(&half->names, names_bytes(log2), &half->wake);
	if (has_callers) {
		half->rules = __vmalloc(rule_bytes(log2),
					GFP_KERNEL_ACCOUNT | __GFP_ZERO);
		if (!half->rules)
			return -ENOMEM;
		half->rule_ids = (u16 *)(half->rules + (1 << HALF_RULES_LOG2));
	}
	return profil_text_cache_init(&half->cache, log2, has_callers);
}

void profil_half_free(struct half *half)
{
	irq_work_sync(&half->wake);
	profil_names_clear(&half->names);
	profil_text_cache_free(&half->cache);
	vfree(half->rules);
}

/* Of up to 256 MiB */
static void half_clear_bytes(void *memory, size_t size)
{
	size_t at, step;

	for (at = 0; at < size; at += step) {
		step = min_t(size_t, size - at, SZ_1M);
		memset(memory + at, 0, step);
		cond_resched();
	}
}

void profil_half_clear(struct half *half)
{
	int cpu;

	if (atomic_read(&half->used))
		half_clear_bytes(half->counters, half_bytes(half->log2));
	if (half->rules)
		half_clear_bytes(half->rules, rule_bytes(half->log2));
	atomic_set(&half->used, 0);
	half->multiplier = get_random_u64() | 1;
	profil_names_clear(&half->names);
	profil_text_cache_clear(&half->cache);
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
