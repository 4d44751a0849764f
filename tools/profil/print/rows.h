/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a flat profile: functions, and samples outside of functions */
#ifndef PROFIL_ROWS_H
#define PROFIL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct row - one row
 * @symbol: function, or a name in brackets for samples outside of functions
 * @object: last component of the path of its file; "" if there is none
 * @samples: samples, which may be parts of samples
 * @seconds: CPU time that @samples stand for
 * @cumulative: @seconds of this row and all before it
 * @calls: calls of the function; 0 if none are known
 * @is_special: row of samples outside of functions, which is always shown
 */
struct row {
	char *symbol;
	char *object;
	double samples;
	double seconds;
	double cumulative;
	uint64_t calls;
	bool is_special;
};

/**
 * struct rows - all rows of a profile
 * @array: the rows; sorted by profil_rows_sort()
 * @nr: elements of @array
 * @room: allocated elements of @array
 * @total: samples that are 100 %
 * @period: seconds that a sample stands for; 0 if that is not known
 */
struct rows {
	struct row *array;
	size_t nr;
	size_t room;
	double total;
	double period;
};

/*
 * Add a row without samples, and return it until the next one is added. The
 * strings are freed with @rows.
 */
struct row *profil_rows_add(struct rows *rows, char *symbol, char *object);

/*
 * Sort by falling number of samples, then of calls, then by name, and compute
 * the times.
 */
void profil_rows_sort(struct rows *rows);
void profil_rows_free(struct rows *rows);

#endif
