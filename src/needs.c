// SPDX-License-Identifier: GPL-2.0-only
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "clock.h"
#include "fork.h"
#include "hook.h"
#include "needs.h"
#include "space.h"
#include "tick.h"
#include "timer.h"
#include "works.h"

/* One or two each. A function comes first: it may be refused, before text is patched. */
static struct hook *const hooks[][2] = {
	[NEED_FORK] = { &profil_dup_mmap_hook, &profil_fork_hook },
	[NEED_TICK] = { &profil_tick_hook },
	[NEED_TIMER] = { &profil_switch_hook },
	[NEED_MAPPINGS] = { &profil_mapped_hook, &profil_unmapped_hook },
};

/* Written by the work only: the needs that are served, and each last result. */
static unsigned int served;
static int results[ARRAY_SIZE(hooks)];

/* What callers want; the number of calls, and of those that have a result. */
static atomic_t wanted, calls;
static int answered;
static DECLARE_WAIT_QUEUE_HEAD(answers);

/* 0; EOPNOTSUPP when the kernel lacks a function; or an errno of profil_hook_attach() */
static int attach_need(struct hook *const of[2])
{
	int err = profil_hook_attach(of[0]);

	if (!err && of[1]) {
		err = profil_hook_attach(of[1]);
		if (err)
			profil_hook_detach(of[0]);
	}
	return err == -ENOENT ? -EOPNOTSUPP : err;
}

static void detach_need(struct hook *const of[2])
{
	if (of[1])
		profil_hook_detach(of[1]);
	profil_hook_detach(of[0]);
}

/* A call that comes while the work runs queues it again. */
static void attach_wanted(struct work_struct *work)
{
	int last = atomic_read_acquire(&calls);
	unsigned int missing = atomic_read(&wanted) & ~served;
	int need;

	for (need = 0; need < ARRAY_SIZE(hooks); need++) {
		if (!(missing & BIT(need)))
			continue;
		WRITE_ONCE(results[need], attach_need(hooks[need]));
		if (!results[need]) /* pairs with missing_of() */
			smp_store_release(&served, served | BIT(need));
	}
	/* The results are written: pairs with profil_needs_attach(). */
	smp_store_release(&answered, last);
	wake_up_all(&answers);
}

static DECLARE_WORK(attach_work, attach_wanted);

static unsigned int missing_of(unsigned int needs)
{
	/* What is served calls the module: pairs with attach_wanted(). */
	return needs & ~smp_load_acquire(&served);
}

static bool has_result(int call)
{
	/* The results are read then: pairs with attach_wanted(). */
	return smp_load_acquire(&answered) - call >= 0;
}

int profil_needs_attach(unsigned int needs)
{
	int call;

	if (!missing_of(needs))
		return 0;
	atomic_or(needs, &wanted);
	call = atomic_inc_return(&calls);
	queue_work(profil_workqueue, &attach_work);
	if (wait_event_killable(answers, has_result(call)))
		return -EINTR;
	needs = missing_of(needs);
	return needs ? READ_ONCE(results[__ffs(needs)]) : 0;
}

int profil_needs_attach_clocks(u64 period_ns, unsigned int needs)
{
	if (clock_needs_tick(period_ns))
		needs |= BIT(NEED_TICK);
	if (clock_needs_timer(period_ns))
		needs |= BIT(NEED_TIMER);
	return profil_needs_attach(needs);
}

void profil_needs_exit(void)
{
	int need;

	flush_work(&attach_work);
	for (need = 0; need < ARRAY_SIZE(hooks); need++)
		if (served & BIT(need))
			detach_need(hooks[need]);
	tracepoint_synchronize_unregister();
}
