/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows that were compiled, for tests */
#ifndef TESTS_ROW_AT_H
#define TESTS_ROW_AT_H

#include "elf/frame_rows.h"
#include "tap.h"

/* The row that holds at @offset, or NULL */
static inline const struct profil_row *row_at(const struct frame_rows *rows,
					      uint64_t offset)
{
	size_t low = 0, high = rows->nr;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (rows->array[middle].offset <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? &rows->array[low - 1] : NULL;
}

/* The rows are in order, and each says something new. */
static inline bool is_ascending(const struct frame_rows *rows)
{
	for (size_t i = 1; i < rows->nr; i++) {
		const struct profil_row *row = &rows->array[i];

		CHECK(row[-1].offset < row->offset);
		CHECK(memcmp(&row[-1].rule, &row->rule, 4));
	}
	return true;
}

#endif
