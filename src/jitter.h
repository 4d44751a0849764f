/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jitter: when the timer samples. Pure: compiles on the host too.
 *
 * Stratified sampling with a low-discrepancy sequence. Each interval of one period since
 * boot has one sample time, at a fraction of the period that moves on by the golden ratio
 * from one interval to the next. A program that is on the CPU for a fraction of the time
 * gets that fraction of the samples, whatever its period and phase. Two sample times are
 * 0.6 to 1.7 periods apart.
 */
#ifndef PROFIL_JITTER_H
#define PROFIL_JITTER_H

#include <linux/math64.h>
#include <linux/types.h>

/* Golden ratio of 2^32; distance between the fractions of two CPUs. */
#define JITTER_GOLDEN_RATIO 0x9e3779b9U
#define JITTER_CPU_SKEW 0x6a09e667U

/*
 * Sample time in @interval, in nanoseconds since boot. @period is 1 s at most,
 * so the product fits in 64 bits.
 */
static inline u64 jitter_time(u64 interval, u32 period, u32 skew)
{
	u32 fraction = (u32)interval * JITTER_GOLDEN_RATIO + skew;

	return interval * period + ((u64)period * fraction >> 32);
}

/* The interval of the first sample time after @now. */
static inline u64 jitter_interval_after(u64 now, u32 period, u32 skew)
{
	u64 interval = div_u64(now, period);

	return jitter_time(interval, period, skew) > now ? interval :
							   interval + 1;
}

#endif /* PROFIL_JITTER_H */
