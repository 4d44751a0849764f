/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instants: when the timer takes samples. Pure: compiles on the host too.
 *
 * Time since boot is cut in intervals of a period each, and each has one instant,
 * at a fraction that moves by the golden section of a period from one interval to the
 * next. So no program runs in step with them: whatever share of the time one
 * works, in bursts of whatever length and phase, that share of the samples finds
 * it. Two instants are 0.6 to 1.7 periods apart.
 */
#ifndef PROFIL_JITTER_H
#define PROFIL_JITTER_H

#include <linux/math64.h>
#include <linux/types.h>

/* The golden section of 2^32, and how far the CPUs are apart. */
#define JITTER_GOLDEN_RATIO 0x9e3779b9U
#define JITTER_CPU_SKEW 0x6a09e667U

/* That of a interval, in nanoseconds. @period is 1 s at most, so that the product has 64 bits. */
static inline u64 jitter_time(u64 interval, u32 period, u32 skew)
{
	u32 fraction = (u32)interval * JITTER_GOLDEN_RATIO + skew;

	return interval * period + ((u64)period * fraction >> 32);
}

/* The interval of the first one after @now. */
static inline u64 jitter_interval_after(u64 now, u32 period, u32 skew)
{
	u64 interval = div_u64(now, period);

	return jitter_time(interval, period, skew) > now ? interval :
							   interval + 1;
}

#endif /* PROFIL_JITTER_H */
