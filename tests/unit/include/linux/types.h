/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the kernel's <linux/types.h> that the pure code uses. */
#ifndef UNIT_LINUX_TYPES_H
#define UNIT_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>

typedef __u8 u8;
typedef __s8 s8;
typedef __u16 u16;
typedef __u32 u32;
typedef __s16 s16;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;

#define U16_MAX ((u16)~0U)
#define U32_MAX ((u32)~0U)
#define U64_MAX ((u64)~0ULL)

#endif /* UNIT_LINUX_TYPES_H */
