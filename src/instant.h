/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instants: when the timer takes samples. Pure: compiles on the host too.
 *
 * Time since boot is cut in cells of a period each, and each has one instant,
 * at a place that moves by the golden section of a period from one cell to the
 * next. So no program runs in step with them: whatever share of the time one
 * works, in bursts of whatever length and phase, that share of the samples finds
 * it. Two instants are 0.6 to 1.7 periods apart.
 */
#ifndef PROFIL_INSTANT_H
#define PROFIL_INSTANT_H

#include <linux/math64.h>
#include <linux/types.h>

/* The golden section of 2^32, and how far the CPUs are apart. */
#define INSTANT_GOLDEN 0x9e3779b9U
#define INSTANT_SKEW 0x6a09e667U

/* That of a cell, in nanoseconds. @period is 1 s at most, so that the product has 64 bits. */
static inline u64 instant_of(u64 cell, u32 period, u32 skew)
{
	u32 place = (u32)cell * INSTANT_GOLDEN + skew;

	return cell * period + ((u64)period * place >> 32);
}

/* The cell of the first one after @now. */
static inline u64 instant_cell_after(u64 now, u32 period, u32 skew)
{
	u64 cell = div_u64(now, period);

	return instant_of(cell, period, skew) > now ? cell : cell + 1;
}

#endif /* PROFIL_INSTANT_H */
