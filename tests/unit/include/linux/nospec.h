/* SPDX-License-Identifier: GPL-2.0-only */
/* What the pure code needs of the kernel's <linux/nospec.h>, on the host. */
#ifndef UNIT_LINUX_NOSPEC_H
#define UNIT_LINUX_NOSPEC_H

/* The host's tests have no secrets. */
#define array_index_nospec(index, size) ((void)(size), (index))

#endif /* UNIT_LINUX_NOSPEC_H */
