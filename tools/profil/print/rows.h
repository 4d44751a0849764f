/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of a flat profile: functions, or other parts of programs */
#ifndef PROFIL_ROWS_H
#define PROFIL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_place;

/* Upper limit of names in a row */
#define ROW_NAMES 6

/**
 * struct row - one row
 * @names: printable names, such as those of an object and a function; "" if
 *	there is none
 * @samples: samples, which may be parts of samples
 * @kernel: part of @samples in kernel mode
 * @seconds: CPU time that @samples stand for
 * @cumulative: @seconds of this row and all before it
 * @calls: calls of the function; 0 if none are known
 * @is_special: row of samples outside of functions, which is always shown
 * @hottest: place with the most samples; NULL for samples that are in no place,
 *	and for a profile without places
 */
struct row {
	char *names[ROW_NAMES];
	double samples;
	double kernel;
	double seconds;
	double cumulative;
	uint64_t calls;
	bool is_special;
	const struct profile_place *hottest;
};

/**
 * struct rows - all rows of a profile
 * @array: the rows; sorted by profil_rows_sort()
 * @nr: elements of @array
 * @room: allocated elements of @array
 * @heads: headings of the names, @nr_names elements
 * @nr_names: names of each row
 * @noun: plural of a row
 * @total: samples that are 100 %
 * @left_out: part of @total that the user did not ask for
 * @period: seconds that a sample stands for; 0 if that is not known
 */
struct rows {
	struct row *array;
	size_t nr;
	size_t room;
	const char *heads[ROW_NAMES];
	int nr_names;
	const char *noun;
	double total;
	double left_out;
	double period;
};

/*
 * Add a row without samples and names, and return it until the next one is
 * added. Its names are freed with @rows.
 */
struct row *profil_rows_add(struct rows *rows);

/*
 * Sort by falling number of samples, then of calls, then by name, and compute
 * the times.
 */
void profil_rows_sort(struct rows *rows);
void profil_rows_free(struct rows *rows);

#endif
