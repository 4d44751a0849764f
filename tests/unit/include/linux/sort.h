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

/* Restore the heap at @parent, largest on top, if its children are heaps. */
static inline void sort_sift(char *base, size_t parent, size_t num, size_t size,
			     int (*cmp)(const void *, const void *,
					const void *),
			     const void *priv)
{
	size_t child;

	while ((child = 2 * parent + 1) < num) {
		char *c = base + child * size;

		if (child + 1 < num && cmp(c, c + size, priv) < 0) {
			c += size;
			child++;
		}
		if (cmp(base + parent * size, c, priv) >= 0)
			return;
		sort_swap(base + parent * size, c, size);
		parent = child;
	}
}

/* @swap, for elements of odd types, is always NULL here. */
static inline void sort_r(void *base, size_t num, size_t size,
			  int (*cmp)(const void *, const void *, const void *),
			  const void *swap, const void *priv)
{
	size_t i;

	(void)swap;
	for (i = num / 2; i--;)
		sort_sift(base, i, num, size, cmp, priv);
	for (i = num; i-- > 1;) {
		sort_swap(base, (char *)base + i * size, size);
		sort_sift(base, 0, i, size, cmp, priv);
	}
}

#endif /* UNIT_LINUX_SORT_H */
