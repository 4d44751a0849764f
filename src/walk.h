/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walks: from a sample over its callers to the base of the stack, for tables with
 * PROFIL_TABLE_CALLERS. A walk takes no lock, does not sleep, allocates nothing, and handles
 * no page fault, so that it runs in the interrupt as well as in a task work. The work of
 * one is bounded: WALK_MAX_FRAMES frames.
 *
 * Each CPU remembers the last walks of some tasks (a memo). Nothing in it is believed before
 * it has been compared with the stack, see unwind.h; so it has no owner, it need not be
 * emptied, and a task whose place another one has taken walks all of its stack once. The
 * number of the space's epoch says which half, text and rows a memo is of.
 */
#ifndef PROFIL_WALK_H
#define PROFIL_WALK_H

#include <linux/kconfig.h>
#include <linux/ptrace.h>
#include <linux/types.h>

struct half;
struct identity;
struct table;
struct walk;

#define WALK_MAX_FRAMES 127

/* New frames of a walk in the interrupt, which on PREEMPT_RT delays what is urgent */
#define WALK_MAX_NEW (IS_ENABLED(CONFIG_PREEMPT_RT) ? 8 : 32)

/* Registers of user mode, of a sample */
struct user_regs {
	u64 pc;
	/* with callers; else 0 */
	u64 sp;
	u64 bp; /* the frame pointer */
	u64 bx; /* rbx, or on arm64 the link register */
	bool is_narrow; /* 32-bit code */
	bool is_used; /* the stack: a word that cannot be read ends the walk */
};

/* Those of the task that @regs are of, in user mode */
static inline struct user_regs user_regs_of(struct pt_regs *regs)
{
	return (struct user_regs){
		.pc = instruction_pointer(regs),
#ifdef CONFIG_X86_64
		.sp = regs->sp,
		.bp = regs->bp,
		.bx = regs->bx,
		.is_narrow = !user_64bit_mode(regs),
#elif defined(CONFIG_ARM64)
		.sp = regs->sp,
		.bp = regs->regs[29],
		.bx = regs->regs[30],
		.is_narrow = compat_user_mode(regs),
#endif
	};
}

static inline bool user_regs_equal(const struct user_regs *a,
				   const struct user_regs *b)
{
	return a->pc == b->pc && a->sp == b->sp && a->bp == b->bp &&
	       a->bx == b->bx && a->is_narrow == b->is_narrow;
}

enum walked {
	WALK_COUNTED, /* the sample has a counter, and its callers have */
	WALK_FULL, /* there is no room for a counter */
	WALK_LONG, /* more new frames than the caller may have */
	WALK_ABSENT, /* current should use its stack from *@missing on first */
	WALK_LACKS, /* no valid space, or no range in it, of *@missing */
};

/*
 * Count @samples that current took with @regs, in @mode of half_add_kernel(), in @half: the
 * leaf, the node of the stack, and how the walk ended. Nothing if the result is another than
 * WALK_COUNTED. @max_new: of frames. In an RCU section, in the hard interrupt or process
 * context; current is a program that who opened @table may see.
 */
enum walked profil_walk(struct table *table, struct half *half,
			const struct identity *identity,
			const struct user_regs *regs, u64 mode, u32 samples,
			u32 max_new, u64 *missing);

/* The memory of @table's walks on each CPU. ENOMEM; what is made is freed, too. Sleep. */
int profil_walks_alloc(struct table *table);
void profil_walks_free(struct table *table);
size_t profil_walks_bytes(void);

#endif /* PROFIL_WALK_H */
