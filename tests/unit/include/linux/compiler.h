/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the kernel's <linux/compiler.h> that the pure code uses */
#ifndef UNIT_LINUX_COMPILER_H
#define UNIT_LINUX_COMPILER_H

#define likely(x) (x)
#define unlikely(x) (x)
#define WRITE_ONCE(x, value) ((x) = (value))

#define IS_ENABLED(CONFIG_ANY) 0

#endif /* UNIT_LINUX_COMPILER_H */
