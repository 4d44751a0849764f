/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the kernel's <linux/hash.h> that the pure code uses. */
#ifndef UNIT_LINUX_HASH_H
#define UNIT_LINUX_HASH_H

#include <linux/types.h>

/* Fibonacci hashing: the upper bits of a product with 2^64 / golden ratio. */
static inline u32 hash_64(u64 value, unsigned int bits)
{
	return (u32)(value * 0x9e3779b97f4a7c15ULL >> (64 - bits));
}

static inline u32 hash_ptr(const void *at, unsigned int bits)
{
	return hash_64((unsigned long)at, bits);
}

#endif /* UNIT_LINUX_HASH_H */
