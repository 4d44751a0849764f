/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Scale: the fixed-point arithmetic of profil(2). Pure: compiles on the host too.
 *
 * A counter is 1 << shift bytes wide, a distance is PC - offset, and scale has 16 bits of
 * fraction. The rule of 4.4BSD is
 *
 *	index = floor(floor(distance / width) * scale / 65536)
 *
 * That of V7 and AIX, which round the byte offset up, and that which distinguishes the
 * bytes of text within a width, are
 *
 *	index = ceil(floor(distance * scale / 65536) / width)
 *	index = floor(floor(distance * scale / 65536) / width)
 */
#ifndef PROFIL_SCALE_H
#define PROFIL_SCALE_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/types.h>

/* In the above order: 4.4BSD; V7 and AIX; bytes, rounded down */
enum scale_rule { SCALE_WIDTHS, SCALE_UP, SCALE_BYTES };

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
			      enum scale_rule rule)
{
	u64 bytes;

	if (likely(rule == SCALE_WIDTHS))
		return scale_down(distance >> shift, scale);
	bytes = scale_down(distance, scale);
	if (rule == SCALE_UP)
		bytes += (1U << shift) - 1;
	return bytes >> shift;
}

/*
 * The largest distance that falls on one of @nr counters, 1 or more, whose bytes are less
 * than 2^64.
 */
static inline u64 scale_reach(u64 nr, u32 scale, unsigned int shift,
			      enum scale_rule rule)
{
	u64 last;

	if (rule == SCALE_UP)
		return scale_up((nr - 1) << shift, scale);
	if (rule == SCALE_BYTES)
		return scale_up((nr << shift) - 1, scale);
	last = scale_up(nr - 1, scale);
	if (last > U64_MAX >> shift)
		return U64_MAX;
	return (last << shift) | ((1U << shift) - 1);
}

#endif /* PROFIL_SCALE_H */
