/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The part of the kernel's <linux/sort.h> that the pure code uses. The kernel's
 * sort is not stable, and neither is this one: a stable one, as that of a libc
 * may be, would hide a comparison that leaves the order of two elements open.
 */
#ifndef UNIT_LINUX_SORT_H
#define UNIT_LINUX_SORT_H

#include <linux/types.h>

static inline void sort_swap(char *a, char *b, size_t size)
{
	while (size--) {
		char byte = *a;

		*a++ = *b;
		*b++ = byte;
	}
}

/*
 * Equal elements change their order. @swap, for elements of odd types, is always NULL
 * here.
 */
static inline void sort_r(void *base, size_t num, size_t size,
			  int (*cmp)(const void *, const void *, const void *),
			  const void *swap, const void *priv)
{
	char *end = (char *)base + num * size;

	(void)swap;
	for (char *at = base; at < end; at += size) {
		char *least = at;

		for (char *it = at + size; it < end; it += size)
			if (cmp(it, least, priv) <= 0)
				least = it;
		sort_swap(at, least, size);
	}
}

#endif /* UNIT_LINUX_SORT_H */
