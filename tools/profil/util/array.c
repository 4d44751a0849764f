// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "util/array.h"

void array_sort(void *array, size_t nr, size_t size, array_order *order)
{
	if (nr)
		qsort(array, nr, size, order);
}

size_t array_join(void *array, size_t nr, size_t size, array_order *order,
		  void (*add)(void *to, const void *from))
{
	char *to = array;

	for (size_t i = 1; i < nr; i++) {
		const char *from = (char *)array + i * size;

		if (!order(to, from)) {
			add(to, from);
			continue;
		}
		to += size;
		if (to != from)
			memcpy(to, from, size);
	}
	return nr ? (to - (char *)array) / size + 1 : 0;
}
