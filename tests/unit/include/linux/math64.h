/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the kernel's <linux/math64.h> that the pure code uses. */
#ifndef UNIT_LINUX_MATH64_H
#define UNIT_LINUX_MATH64_H

#include <linux/types.h>

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *remainder)
{
	*remainder = dividend % divisor;
	return dividend / divisor;
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 mul_u64_u32_shr(u64 a, u32 mul, unsigned int shift)
{
	return (u64)((__uint128_t)a * mul >> shift);
}

#endif /* UNIT_LINUX_MATH64_H */
