/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compatibility: the only file that names a kernel version. All others are
 * written for the newest kernel; the definitions here make older kernels look
 * like it.
 */
#ifndef PROFIL_COMPAT_H
#define PROFIL_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "profil is for Linux 6.1 and later"
#endif

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

#ifndef PF_USER_WORKER
#define PF_USER_WORKER 0
#endif

#endif /* PROFIL_COMPAT_H */
