/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The only file that names a kernel version. The rest is written for the
 * newest kernel; what follows bends older ones to look like it.
 */
#ifndef PROFIL_COMPAT_H
#define PROFIL_COMPAT_H

#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
static inline void
hrtimer_setup(struct hrtimer *timer,
	      enum hrtimer_restart (*function)(struct hrtimer *),
	      clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 5, 0)
#define pin_user_pages_remote(mm, start, nr, flags, pages, locked) \
	pin_user_pages_remote(mm, start, nr, flags, pages, NULL, locked)
#endif

/*
 * The head of a probe on sched_switch: it has prev and next. What 5.18 calls it
 * with changed within its stable releases.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 19, 0) && \
	LINUX_VERSION_CODE >= KERNEL_VERSION(5, 18, 0)
#error "Linux 5.18 is not supported: use 5.17 or 5.19"
#elif LINUX_VERSION_CODE < KERNEL_VERSION(5, 19, 0)
#define PROBE_SCHED_SWITCH(name)                                 \
	name(void *data, bool preempt, struct task_struct *prev, \
	     struct task_struct *next)
#else
#define PROBE_SCHED_SWITCH(name)                                 \
	name(void *data, bool preempt, struct task_struct *prev, \
	     struct task_struct *next, unsigned int prev_state)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(5, 11, 0)
#define ftrace_regs pt_regs
#endif

#ifndef PF_IO_WORKER
#define PF_IO_WORKER 0
#endif

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0
#endif

#endif /* PROFIL_COMPAT_H */
