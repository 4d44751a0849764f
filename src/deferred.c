// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/llist.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/random.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "books.h"
#include "compat.h"
#include "deferred.h"
#include "lookup.h"
#include "quota.h"
#include "table.h"
#include "task_work.h"
#include "walk.h"

/* A sample that waits, or several with the same registers */
struct item {
	struct callback_head work; /* task work of @task */
	struct llist_node node; /* in the list of items not in use */
	/* what the item belongs to, with a reference while the item is in use */
	struct items *items;
	/*
	 * who shall look up the sample, until it does. Until then it has not run its works for
	 * the last time, so RCU keeps it
	 */
	struct task_struct *task;
	struct identity identity; /* of the program at the time of the sample */
	struct user_regs
		regs; /* of the sample; in kernel mode those of the entry */
	u64 mode; /* of the sample: see half_add_kernel() */
	u32 interval; /* number of TAKEs before the sample, modulo 2^32 */
	atomic_t samples; /* 0 once the look-up has begun, or the work is taken back */
	int cpu; /* in whose list the item belongs, and whose samples it has. Constant */
	u8 follows; /* look-ups of @task, without user mode since, that it was taken in */
	u8 user; /* the share in which the item is counted, an index of cpu_items.used */
};

#define ITEMS_OF_CPU 128

/* Items that tasks which sleep in system calls cannot use up: for user mode alone */
#define ITEMS_RESERVED 16

/* The most items of a CPU that a user has; users whose hash is equal share them. */
#define ITEMS_OF_USER (ITEMS_OF_CPU / 2)
#define USER_BITS 6

/* With more in use, items have no PCs in the kernel, of which a call may have many. */
#define ITEMS_WITH_PCS (ITEMS_OF_USER / 2)

struct cpu_items {
	struct llist_head unused;
	atomic_t nr_used;
	atomic_t used[1 << USER_BITS]; /* by users with this hash */
	struct item items[ITEMS_OF_CPU];
};

/* The items of a table, which may outlive it */
struct items {
	refcount_t refs; /* one of the table, and one of each item in use */
	struct table *table; /* NULL once the table has ended */
	struct cpu_items __percpu *cpus; /* the items of each CPU */
	struct charge charge; /* to the user of a tree */
	u32 seed; /* of the hash of users, who choose IDs in their user namespaces */
};

/*
 * A sample that is taken in the look-up of another one is looked up next. After as many the
 * task returns to user mode, however much longer than a period its look-ups take.
 */
#define ITEMS_FOLLOW 4

/*
 * A look-up on a CPU, or the last one: a hint, since a task may migrate and be preempted in it.
 * Samples on the other CPU then count as the first.
 */
struct looker {
	const struct task_struct *task; /* compared only; NULL after it */
	u8 follows; /* of the item */
};

static DEFINE_PER_CPU(struct looker, lookers);

/* item.follows of a sample that is taken now */
static u8 follows_now(void)
{
	const struct looker *looker = this_cpu_ptr(&lookers);

	return READ_ONCE(looker->task) == current ?
		       READ_ONCE(looker->follows) + 1 :
		       0;
}

/* How many items of this CPU the user of current has */
static atomic_t *items_used(const struct items *items)
{
	u32 user = __kuid_val(profil_quota_uid()) ^ items->seed;

	return &this_cpu_ptr(items->cpus)->used[hash_32(user, USER_BITS)];
}

/* @mode, without a PC in the kernel that items have no room for */
static u64 mode_to_keep(const struct items *items, u64 mode)
{
	if (mode & HALF_KERNEL_PC &&
	    atomic_read(items_used(items)) >= ITEMS_WITH_PCS)
		return PROFIL_KEY_KERNEL;
	return mode;
}

/* Interrupts are off: only this CPU takes items from its lists. NULL: none for current. */
static struct item *item_take(struct items *items, u64 mode)
{
	struct cpu_items *of_cpu = this_cpu_ptr(items->cpus);
	atomic_t *used = items_used(items);
	u8 follows = follows_now();
	struct llist_node *node;
	struct item *item;

	if (follows > ITEMS_FOLLOW || atomic_read(used) >= ITEMS_OF_USER ||
	    (mode &&
	     atomic_read(&of_cpu->nr_used) >= ITEMS_OF_CPU - ITEMS_RESERVED))
		return NULL;
	node = llist_del_first(&of_cpu->unused);
	if (!node)
		return NULL;
	item = container_of(node, struct item, node);
	item->user = used - of_cpu->used;
	item->follows = follows;
	atomic_inc(used);
	atomic_inc(&of_cpu->nr_used);
	book_add(BOOK_ITEMS, 1);
	return item;
}

/* Any context */
static void item_give_back(struct items *items, struct item *item)
{
	struct cpu_items *of_cpu = per_cpu_ptr(items->cpus, item->cpu);

	atomic_dec(&of_cpu->used[item->user]);
	atomic_dec(&of_cpu->nr_used);
	book_add(BOOK_ITEMS, -1);
	llist_add(&item->node, &of_cpu->unused);
}

void profil_deferred_put(struct items *items)
{
	if (!items || !refcount_dec_and_test(&items->refs))
		return;
	free_percpu(items->cpus);
	profil_quota_uncharge(&items->charge);
	kfree(items);
	module_put(THIS_MODULE);
}

static void init_cpu(struct items *items, int cpu)
{
	struct cpu_items *of_cpu = per_cpu_ptr(items->cpus, cpu);
	int i;

	init_llist_head(&of_cpu->unused);
	for (i = 0; i < ITEMS_OF_CPU; i++) {
		of_cpu->items[i].cpu = cpu;
		llist_add(&of_cpu->items[i].node, &of_cpu->unused);
	}
	cond_resched();
}

int profil_deferred_alloc(struct table *table)
{
	struct items *items = kzalloc(sizeof(*items), GFP_KERNEL_ACCOUNT);
	int cpu, err = 0;

	if (!items)
		return -ENOMEM;
	__module_get(THIS_MODULE); /* the caller's descriptor has one, too */
	refcount_set(&items->refs, 1);
	items->seed = get_random_u32();
	items->table = table;
	table->items = items;
	if (table->flags & PROFIL_TABLE_TREE)
		err = profil_quota_charge(&items->charge,
					  num_possible_cpus() *
						  sizeof(*items->cpus));
	if (err)
		return err;
	items->cpus = alloc_percpu_gfp(struct cpu_items, GFP_KERNEL_ACCOUNT);
	if (!items->cpus)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		init_cpu(items, cpu);
	return 0;
}

/* Is current the program in which the sample was taken? */
static bool is_same_program(const struct identity *identity)
{
	return current->mm == identity->mm &&
	       current->self_exec_id == identity->exec_id;
}

/*
 * As profil_lookup_count(). A sample in an execve(2) that had not marked the task yet is
 * looked up at its end.
 *
 * A look-up is an RCU reader, for which the end of the table waits. It is not preempted, so
 * that no user can keep it from its end. On PREEMPT_RT it takes sleeping locks, and a task
 * that gets no CPU delays that end until RCU boosts it.
 */
static bool item_look_up(const struct item *item, u32 samples, u64 *absent)
{
	struct table *table;
	bool is_counted = true;

	rcu_read_lock();
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable();
	table = READ_ONCE(item->items->table);
	if (table && is_same_program(&item->identity))
		is_counted = profil_lookup_count(table, &item->identity,
						 &item->regs, item->mode,
						 samples, absent);
	else if (table)
		half_resolve(rcu_dereference(table->half),
			     current->mm ? OUTCOME_STARTING : OUTCOME_EXITING,
			     HALF_NO_TEXT, item->mode, samples);
	if (!IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable();
	rcu_read_unlock();
	return is_counted;
}

/* Few walks go farther. */
#define STACK_PAGES 32UL

/*
 * Use the pages of current's stack from @sp on that are in memory, as it does when it returns
 * there: what NUMA balancing has made unreadable is readable then. Should a page go between
 * the two calls, FOLL_NOWAIT waits neither for swap nor for a server of userfaultfd(2); a
 * page of a file, which might wait for one of FUSE, is not used.
 */
static void use_stack(unsigned long sp)
{
	struct mm_struct *mm = current->mm;
	struct vm_area_struct *vma;
	long nr = 0;

	if (!mmap_read_trylock(mm))
		return;
	sp &= PAGE_MASK;
	vma = vma_lookup(mm, sp);
	if (vma && vma_is_anonymous(vma))
		nr = min(STACK_PAGES, (vma->vm_end - sp) >> PAGE_SHIFT);
	nr = get_user_pages_remote(mm, sp, nr, FOLL_NOFAULT | FOLL_FORCE, NULL,
				   NULL);
	if (nr > 0)
		get_user_pages_remote(mm, sp, nr,
				      FOLL_NOWAIT | FOLL_HONOR_NUMA_FAULT, NULL,
				      NULL);
	mmap_read_unlock(mm);
}

/*
 * In the sampled task, before user mode or in its exit, after its mm has gone. Items and the
 * module may be gone by the end: the last step is in profil_deferred_put(), for whose
 * return profil_exit() waits.
 */
static void run_item(struct callback_head *work)
{
	struct item *item = container_of(work, struct item, work);
	struct items *items = item->items;
	struct looker *looker = raw_cpu_ptr(&lookers);
	u32 samples = atomic_xchg(&item->samples, 0);
	u64 absent;

	book_add(BOOK_TASK_WORKS, -1);
	WRITE_ONCE(item->task, NULL);
	WRITE_ONCE(looker->follows, item->follows);
	WRITE_ONCE(looker->task, current);
	if (!item_look_up(item, samples, &absent)) {
		use_stack(absent);
		item->regs.is_used = true;
		item_look_up(item, samples, &absent);
	}
	WRITE_ONCE(looker->task, NULL);
	item_give_back(items, item);
	profil_deferred_put(items);
}

/*
 * Add the sample to the item that current has for the same registers and interval: it has
 * not been in user mode since, so its stack is the same. Interrupts are off: only this CPU
 * takes the item again.
 */
static bool item_join(struct item *item, u32 interval,
		      const struct identity *identity,
		      const struct user_regs *regs, u64 mode)
{
	return item && item->cpu == smp_processor_id() &&
	       READ_ONCE(item->task) == current &&
	       user_regs_equal(&item->regs, regs) &&
	       item->interval == interval && item->mode == mode &&
	       identity_equal(&item->identity, identity, true) &&
	       atomic_inc_not_zero(&item->samples);
}

static enum outcome item_add(struct table *table, struct item **last,
			     const struct identity *identity,
			     const struct user_regs *regs, u64 mode)
{
	u32 interval = READ_ONCE(table->sequence);
	struct item *item;

	if (task_is_exiting(current))
		return OUTCOME_EXITING;
	if (item_join(READ_ONCE(*last), interval, identity, regs, mode))
		return OUTCOME_DEFERRED;
	item = item_take(table->items, mode);
	if (!item)
		return OUTCOME_NO_ITEM;
	refcount_inc(&table->items->refs);
	item->items = table->items;
	item->identity = *identity;
	item->regs = *regs;
	item->interval = interval;
	item->mode = mode;
	atomic_set(&item->samples, 1);
	WRITE_ONCE(item->task, current);
	init_task_work(&item->work, run_item);
	profil_task_work_add(current, &item->work);
	WRITE_ONCE(*last, item);
	return OUTCOME_DEFERRED;
}

void profil_deferred_add(struct table *table, struct half *half,
			 const struct identity *identity,
			 const struct user_regs *regs, u64 mode)
{
	struct item **last = &table->last[hash_ptr(current, TABLE_LAST_BITS)];
	u64 kept = mode_to_keep(table->items, mode);
	enum outcome outcome = item_add(table, last, identity, regs, kept);

	half_count(half, outcome, 1);
	if (outcome != OUTCOME_DEFERRED || kept != mode)
		half_add_kernel(half, HALF_NO_TEXT, mode, 1);
}

static void item_cancel(struct table *table, struct item *item)
{
	if (!profil_task_work_cancel(&item->task, &item->work))
		return;
	rcu_read_lock();
	half_resolve(rcu_dereference(table->half), OUTCOME_CANCELLED,
		     HALF_NO_TEXT, item->mode, atomic_xchg(&item->samples, 0));
	rcu_read_unlock();
	WRITE_ONCE(item->task, NULL);
	item_give_back(table->items, item);
	profil_deferred_put(table->items);
}

/* The numbers of intervals are compared modulo 2^32. */
void profil_deferred_cancel(struct table *table, u32 interval)
{
	struct cpu_items *of_cpu;
	int cpu, i;

	for_each_possible_cpu(cpu) {
		of_cpu = per_cpu_ptr(table->items->cpus, cpu);
		for (i = 0; i < ITEMS_OF_CPU; i++)
			/* data race: one that is used anew may be cancelled, too. */
			if ((s32)(data_race(of_cpu->items[i].interval) -
				  interval) <= 0)
				item_cancel(table, &of_cpu->items[i]);
		cond_resched();
	}
}

void profil_deferred_end(struct table *table)
{
	profil_deferred_cancel(table, table->sequence);
	WRITE_ONCE(table->items->table, NULL);
	synchronize_rcu();
}
