/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scale: the fixed-point arithmetic of profil(2). Pure: compiles on the host
 * too.
 *
 * A counter is 1 << shift bytes wide, a distance is PC - offset, and scale has
 * 16 bits of fraction. The rule of 4.4BSD is
 *
 *	index = floor(floor(distance / width) * scale / 65536)
 *
 * and that of V7 and AIX, which round the byte offset up, is
 *
 *	index = ceil(floor(distance * scale / 65536) / width)
 */
#ifndef PROFIL_SCALE_H
#define PROFIL_SCALE_H

#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>

/* floor(x * scale / 65536), exact where that is less than 2^64. */
static inline u64 scale_down(u64 x, u32 scale)
{
	return mul_u64_u32_shr(x, scale, 16);
}

/* The largest x with scale_down(x, scale) <= y, or U64_MAX; scale is not 0. */
static inline u64 scale_up(u64 y, u32 scale)
{
	u32 rest;
	u64 whole = div_u64_rem(y, scale, &rest);

	if (whole >> 48)
		return U64_MAX;
	return (whole << 16) + div_u64(((u64)rest << 16) + 0xffff, scale);
}

/* The index of the counter for @distance, at most scale_reach(). */
static inline u64 scale_index(u64 distance, u32 scale, unsigned int shift,
			      bool round_up)
{
	u64 bytes;

	if (!round_up)
		return scale_down(distance >> shift, scale);
	bytes = scale_down(distance, scale);
	return (bytes >> shift) + !!(bytes & ((1U << shift) - 1));
}

/* The largest distance that falls on one of @nr counters; @nr is not 0. */
static inline u64 scale_reach(u64 nr, u32 scale, unsigned int shift,
			      bool round_up)
{
	u64 last;

	if (round_up)
		return scale_up((nr - 1) << shift, scale);
	last = scale_up(nr - 1, scale);
	if (last > U64_MAX >> shift)
		return U64_MAX;
	return (last << shift) | ((1U << shift) - 1);
}

#endif /* PROFIL_SCALE_H */
