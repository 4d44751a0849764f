/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the kernel's <linux/nospec.h> that the pure code uses. */
#ifndef UNIT_LINUX_NOSPEC_H
#define UNIT_LINUX_NOSPEC_H

/* Tests on the host have no secrets to protect. */
#define array_index_nospec(index, size) ((void)(size), (index))

#endif /* UNIT_LINUX_NOSPEC_H */
