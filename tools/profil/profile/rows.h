/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of the samples of a profile: functions, or other parts */
#ifndef PROFIL_ROWS_H
#define PROFIL_ROWS_H

#include <math.h>
#include <regex.h>

#include "profile/groups.h"

/* Upper limit of names in a row */
#define ROW_NAMES ROW_KEYS

/**
 * struct row - one row
 * @names: printable names, such as those of an object and a function; "" if
 *	there is none
 * @samples: samples, which may be parts of samples
 * @kernel: part of @samples in kernel mode
 * @total: @samples, and those of what this row has called
 * @error: of a comparison, the standard error of the change of @total
 * @is_own: code of the user
 * @caller: of other code, the function of the user that has called most of @samples;
 *	"" if none is known
 * @caller_samples: those that it has called
 * @seconds: CPU time that @samples stand for
 * @cumulative: @seconds of this row and all before it
 * @calls: calls of the function; 0 if none are known
 * @is_special: row of samples outside of functions, which is always shown
 * @is_last: row of the recording profil, behind all others
 * @is_kernel: a name says that all samples are in kernel mode
 * @hottest: the sample with the most of them; NULL for samples that are in no place,
 *	and for a profile without places
 */
struct row {
	char *names[ROW_NAMES];
	double samples;
	double kernel;
	double total;
	double error;
	bool is_own;
	char *caller;
	double caller_samples;
	double seconds;
	double cumulative;
	uint64_t calls;
	bool is_special;
	bool is_last;
	bool is_kernel;
	const struct profile_sample *hottest;
};

/* Add the numbers of @from to those of @to. */
static inline void row_add(struct row *to, const struct row *from)
{
	to->samples += from->samples;
	to->kernel += from->kernel;
	to->seconds += from->seconds;
	to->calls += from->calls;
}

/*
 * All rows of a profile
 * @heads: headings of the names, @nr_names elements
 * @noun: plural of a row
 * @total: samples that are 100 %
 * @part: samples of the function whose callers are shown; 0: there is none
 * @left_out: part of @total that the user did not ask for
 * @is_through: by their callers, too
 * @period: seconds that a sample stands for; 0 if that is not known
 * @has_totals: rows have totals, also those without samples
 * @has_callers: rows have callers
 */
struct rows {
	struct row *array;
	size_t nr;
	const char *heads[ROW_NAMES];
	int nr_names;
	const char *noun;
	bool is_prof;
	double total;
	double part;
	double left_out;
	bool is_through;
	double period;
	bool has_totals;
	bool has_callers;
};

/* Words for the keys, in this order, ended by NULL */
extern const char *const profil_row_words[];

/**
 * struct row_choice - rows that the user asks for
 * @by: different keys, @nr_by elements
 * @nr_by: number of keys; none stands for ROW_FUNCTION
 * @is_prof: the rows are those of prof(1): functions, also those with calls alone
 * @object: rows of objects whose path matches; NULL: of all
 * @function: rows of functions whose name matches; NULL: of all
 * @printable: copies a name as printable text
 * @all: profile in which objects and programs of one base name have names that differ, as
 *	those of several profiles side by side do; NULL: the one of the rows
 * @by_base: objects have their base names alone
 * @by_total: rows are sorted by falling totals, then as others
 * @has_totals: rows of code have totals if callers were recorded, also those without samples
 */
struct row_choice {
	enum row_key by[ROW_KEYS];
	int nr_by;
	bool is_prof;
	const regex_t *object;
	const regex_t *function;
	char *(*printable)(const char *text);
	const struct profile *all;
	bool by_base;
	bool by_total;
	bool has_totals;
};

/*
 * Make rows of the samples in @profile, sorted by falling number of samples, then of
 * calls, then by name.
 */
void profil_rows_read(struct rows *rows, const struct profile *profile,
		      const struct row_choice *choice);

void profil_rows_free(struct rows *rows);

/*
 * Standard error of the share of @samples in @total independent samples, in percent: half
 * of Wilson's interval of one standard deviation on each side, which, unlike that of Wald,
 * is no point where all samples are of one kind
 */
static inline double share_error(double samples, double total)
{
	return total ? 100 * sqrt(samples * (total - samples) / total + 0.25) /
			       (total + 1) :
		       0;
}

#endif
