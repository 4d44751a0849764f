/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel with one CPU and one thread, as far as walks need it: the Makefile makes this file
 * the <linux/NAME.h> that their sources include and include/ has not. Headers of src/ that
 * need more of a kernel are replaced by the names that table.h and space.c take from them.
 */
#ifndef UNIT_KERNEL_H
#define UNIT_KERNEL_H

#include <assert.h>
#include <errno.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <stdlib.h>
#include <string.h>

#define __percpu
#define __rcu
#define S32_MIN (-0x7fffffff - 1)
#define container_of(at, type, member) \
	((type *)&((char *)(at))[-(long)offsetof(type, member)])

#define min_t(type, a, b) ((type)(a) < (type)(b) ? (type)(a) : (type)(b))
#define clamp_t(type, value, low, high) \
	min_t(type, (value) < (low) ? (low) : (value), high)
#define struct_size(at, member, nr) offsetof(__typeof__(*(at)), member[nr])
#define SZ_16K 0x4000
#define SZ_1M 0x100000
#define SZ_32M 0x2000000

/* Memory, all of which there is */
#define GFP_NOWAIT 0
#define GFP_KERNEL_ACCOUNT 0
#define __GFP_ACCOUNT 0
#define __GFP_NOWARN 0
#define __GFP_ZERO 0
#define __vmalloc(bytes, flags) calloc(1, bytes)
#define kvzalloc(bytes, flags) calloc(1, bytes)
#define kvzalloc_node(bytes, flags, node) calloc(1, bytes)
#define kmemdup(from, bytes, flags) memcpy(malloc(bytes), from, bytes)
#define vfree free
#define kvfree free
#define kfree free
#define kfree_rcu(at, member) free(at)

/* One CPU, which nothing but user_word() interrupts */
typedef struct {
	int value;
} atomic_t;
typedef struct {
	long value;
} atomic_long_t;
typedef struct {
	s64 value;
} atomic64_t;

#define atomic_read(at) ((at)->value)
#define atomic_long_read atomic_read
#define atomic_set(at, to) ((at)->value = (to))
#define atomic_long_inc(at) ((at)->value++)
#define atomic_inc_return(at) (++(at)->value)
#define atomic64_inc_return(at) (++(at)->value)
#define atomic64_add(n, at) ((at)->value += (n))
#define cmpxchg64(at, old, new)        \
	({                             \
		u64 seen_ = *(at);     \
		if (seen_ == (old))    \
			*(at) = (new); \
		seen_;                 \
	})
#define cmpxchg64_relaxed cmpxchg64
#define xchg(at, to)                 \
	({                           \
		void *seen_ = *(at); \
		*(at) = (to);        \
		seen_;               \
	})
#define READ_ONCE(x) (x)
/* A barrier, and a data race: there is one thread. */
#define smp_load_acquire(at) (*(at)) /* as above */
#define num_online_nodes() 2
#define get_random_u32() ((u32)get_random_u64())
#define barrier() ((void)0)
#define data_race(x) ((void)(x)) /* as above */
#define preempt_disable() ((void)0)
#define preempt_enable() ((void)0)
#define pagefault_disable() ((void)0)
#define pagefault_enable() ((void)0)
#define cond_resched() ((void)0)

#define this_cpu_ptr(at) (at)
#define this_cpu_add(at, n) ((at) += (n))
#define per_cpu_ptr(at, cpu) ((void)(cpu), (at))
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define num_possible_cpus() 1
#define cpu_to_node(cpu) 0

struct rcu_head {
};
#define RCU_INITIALIZER(at) (at)
#define RCU_INIT_POINTER(at, to) ((at) = (to))
#define rcu_assign_pointer(at, to) ((at) = (to))
#define rcu_dereference_raw(at) (at)
#define unrcu_pointer(at) (at)
#define lockdep_assert_held(lock) assert((lock)->held)

/* What wakes the readers of a table, which has none */
struct irq_work {
	void (*call)(struct irq_work *work);
};
typedef struct {
} wait_queue_head_t;
#define init_irq_work(work, to) ((work)->call = (to))
#define irq_work_queue(work) ((work)->call(work))
#define irq_work_sync(work) ((void)(work))
#define wake_up_interruptible(readers) ((void)(readers))

u64 random_u64(void);
#define get_random_u64 random_u64

/* Types of members that walks do not touch */
struct hlist_head {
};
struct hlist_node {
};
struct list_head {
};
struct mutex {
};
struct xarray {
};
typedef struct {
} siphash_key_t;
#define DECLARE_HASHTABLE(name, bits) struct hlist_head name[1 << (bits)]
typedef struct {
	unsigned int val;
} kuid_t;

/* Tasks and their registers */
#define TASK_COMM_LEN 16
struct mm_struct;
struct vm_area_struct {
	struct mm_struct *vm_mm;
};
struct task_struct {
	u64 any;
};
extern struct task_struct *current;
void schedule(void);

struct pt_regs {
	u64 ip, sp, bp, bx;
};
#define instruction_pointer(regs) ((regs)->ip)
#define user_64bit_mode(regs) true

/* A key of jump_label.h; then headers of src/ */
#define DECLARE_STATIC_KEY_FALSE(name) extern int name

#define PROFIL_QUOTA_H
struct charge {
};

#define PROFIL_TIMER_H
struct sample_timer {
};

#define PROFIL_TREE_H
struct tree {
};

#define PROFIL_HOOK_H
struct hook {
	void (*call)(void *argument);
};
#define DEFINE_HOOK(which, symbol, entered)         \
	static void which##_entered(void *argument) \
	{                                           \
		entered;                            \
	}                                           \
	struct hook profil_##which##_hook = { which##_entered }
#define hook_argument(nr) argument

#endif /* UNIT_KERNEL_H */
