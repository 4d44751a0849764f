// SPDX-License-Identifier: GPL-2.0-only
/*
 * An empty timer, each millisecond, on the CPU that loads the module: the minimal
 * cost of sampling at 1 kHz.
 */
#include <linux/hrtimer.h>
#include <linux/module.h>
#include <linux/version.h>

static struct hrtimer timer;

static enum hrtimer_restart expire(struct hrtimer *hrtimer)
{
	hrtimer_forward_now(hrtimer, ms_to_ktime(1));
	return HRTIMER_RESTART;
}

static int __init emptytimer_init(void)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = expire;
#else
	hrtimer_setup(&timer, expire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_HARD);
#endif
	hrtimer_start(&timer, ms_to_ktime(1), HRTIMER_MODE_REL_PINNED_HARD);
	return 0;
}

static void __exit emptytimer_exit(void)
{
	hrtimer_cancel(&timer);
}

module_init(emptytimer_init);
module_exit(emptytimer_exit);

MODULE_DESCRIPTION("An empty timer, for comparison");
MODULE_LICENSE("GPL");
