/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interrupts of the driver's timers, as the kernel's own event hrtimer_expire_entry
 * counts them, with a histogram by function and by thread.
 */
#ifndef ACCOUNT_INTERRUPTS_H
#define ACCOUNT_INTERRUPTS_H

#include <stdbool.h>
#include <sys/types.h>

#include <linux/types.h>

/* The functions of src/timer.c that the timers call */
#define OWN_TIMER "expire_own"
#define ATTACHED_TIMER "expire_attached"

/* Count from 0 on. False if the kernel lacks histograms of events. */
bool interrupts_begin(void);

void interrupts_end(void);

/*
 * The number of interrupts of the timer @function since interrupts_begin() that
 * have found a thread with an ID from @first to @last.
 */
__u64 interrupts_of(const char *function, pid_t first, pid_t last);

#endif /* ACCOUNT_INTERRUPTS_H */
