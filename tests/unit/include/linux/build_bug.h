/* SPDX-License-Identifier: GPL-2.0-only */
/* The pure code uses nothing of the kernel's <linux/build_bug.h> itself. */
