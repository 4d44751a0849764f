/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * <linux/math64.h> for a proof. A SAT solver finds no proof about products of
 * 64 by 32 bits, so the product is a function without a definition. A proof
 * assumes of it what it needs of the product of integers, by the functions
 * below; all else in it is exact to the bit.
 */
#ifndef PROOF_LINUX_MATH64_H
#define PROOF_LINUX_MATH64_H

#include <linux/types.h>

#include "proof.h"

typedef unsigned __int128 u128;

/* a * b, less than 2^96 */
u128 __CPROVER_uninterpreted_product(u64 a, u32 b);

static inline u128 product(u64 a, u32 b)
{
	u128 result = __CPROVER_uninterpreted_product(a, b);

	assume(result >> 96 == 0);
	return result;
}

/* a <= b: a * c <= b * c. a < b: a * c + c <= b * c. */
static inline void product_ascends(u64 a, u64 b, u32 c)
{
	if (a < b)
		assume(product(a, c) + c <= product(b, c));
	if (a > b)
		assume(product(b, c) + c <= product(a, c));
}

/* a < b * 2^16: a * c < b * c * 2^16. */
static inline void product_below(u64 a, u64 b, u32 c)
{
	if (a >> 16 < b && c)
		assume(product(a, c) < product(b, c) << 16);
}

/* The last division of the code under proof, in two steps */
static u64 proof_dividend;
static u64 proof_whole;
static u32 proof_rest;
static u64 proof_digit;

static inline u64 div_u64_rem(u64 dividend, u32 divisor, u32 *remainder)
{
	u64 quotient = nondet_u64();

	prove(divisor, "the divisor is not 0");
	*remainder = nondet_u32();
	assume(*remainder < divisor);
	assume(product(quotient, divisor) + *remainder == dividend);
	proof_dividend = dividend;
	proof_whole = quotient;
	proof_rest = *remainder;
	return quotient;
}

/*
 * The second step of a division by hand, with digits of 16 bits, of which the
 * last is 0xffff: for a first step d = w * c + r and a second one
 * r * 2^16 + 0xffff = q * c + s, d * 2^16 + 0xffff = (w * 2^16 + q) * c + s, and
 * q is a digit.
 */
static inline u64 div_u64(u64 dividend, u32 divisor)
{
	u64 quotient = nondet_u64();
	u32 remainder = nondet_u32();

	prove(divisor, "the divisor is not 0");
	prove(dividend == (u64)proof_rest * 65536 + 65535,
	      "the rest is divided further");
	assume(quotient < 65536 && remainder < divisor);
	if (proof_whole >> 48 == 0)
		assume(product(proof_whole << 16 | quotient, divisor) +
			       remainder ==
		       ((u128)proof_dividend << 16 | 0xffff));
	proof_digit = quotient;
	return quotient;
}

static inline u64 mul_u64_u32_shr(u64 a, u32 mul, unsigned int shift)
{
	return (u64)(product(a, mul) >> shift);
}

#endif /* PROOF_LINUX_MATH64_H */
