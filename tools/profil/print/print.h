/* SPDX-License-Identifier: GPL-2.0-only */
/* What is printed of a profile: heading, tables, JSON, notes and hints */
#ifndef PROFIL_PRINT_H
#define PROFIL_PRINT_H

#include "profile/rows.h"

/* Part of @samples in all samples of @rows */
static inline double share(const struct rows *rows, double samples)
{
	return rows->total ? samples / rows->total : 0;
}

/* Print a line with the command, its exit status and its times. */
void profil_heading_print(FILE *out, const struct profile *profile);

/* Print which programs a recording of the machine is about. */
void profil_heading_print_subject(FILE *out, const struct profile_head *head);

/*
 * Number of the programs, by their paths: each may be several times in a profile, as for
 * its threads and its cgroups; [kernel] is none.
 */
unsigned long long profil_heading_programs(const struct profile *profile);

/* Print how the command has ended, or why that is not known. */
void profil_heading_print_status(FILE *out, const struct profile_head *head);

/* Print a line with the time and the machine of the recording. */
void profil_heading_print_origin(FILE *out, const struct profile *profile);

/*
 * Print the samples of a recording, their period, and lost samples; or those of a
 * gmon.out or mon.out, their rate, which is marked if it is assumed, and samples
 * outside of all functions.
 */
void profil_total_print(FILE *out, const struct profile *profile);

/* Upper limit of the rows that are shown, unless each has 5 % of the samples */
#define FLAT_ROWS 40

/*
 * Form of a flat profile: with all rows, or those with a share of @limit, in percent, or
 * more, 0: chosen by the number of rows. @samples: show the column of samples
 */
struct flat {
	bool all;
	double limit;
	bool samples;
};

/*
 * Print the flat profile: a head and a line for each of the sorted @rows: the share with
 * its standard error, seconds, samples and names. Rows of prof(1), which all are printed,
 * have the columns of that: share, cumulative and own seconds, calls, time of a call, and
 * names. On a terminal, a long name in the last column is cut to the end of the line.
 */
void profil_flat_print(FILE *out, const struct flat *flat,
		       const struct rows *rows);

/*
 * Columns of names at the end of the lines of a table
 * @heads: their @nr heads
 * @names: of each column, the names of @rows rows
 * @widths: characters of a column
 * @before: characters of a line before them
 * @line: characters of a line of the terminal; 0 for no limit
 */
struct name_table {
	const char *const *heads;
	int nr;
	char **names[ROW_NAMES];
	size_t rows;
	size_t widths[ROW_NAMES];
	size_t before;
	size_t line;
};

/* Begin a table; @heads stay until its end. */
void profil_names_begin(struct name_table *table, const char *const *heads,
			int nr, size_t before, size_t line);

/* Add a row with copies of @names. */
void profil_names_add(struct name_table *table, char *const *names);

/* Set the widths, after the last row, and shorten the names to the line of a terminal. */
void profil_names_place(struct name_table *table);

void profil_names_print_heads(FILE *out, const struct name_table *table);

/* Print the names of the row with the index @row. */
void profil_names_print(FILE *out, const struct name_table *table, size_t row);
void profil_names_end(struct name_table *table);

/*
 * Print @profile and its @rows as JSON, which profil(1) describes. The names of
 * the rows are UTF-8. Rows with a smaller share than @limit, in percent, and those
 * after the first @most are added up.
 */
void profil_json_print(FILE *out, const struct profile *profile,
		       const struct rows *rows, double limit, size_t most);

/* Print @text with its quotes; what is no UTF-8, or not printable, as \xNN. */
void profil_json_string(FILE *out, const char *text);

/*
 * Print the time of CPUs that no code of a program has, and a line for each reason why the
 * profile is incomplete. A gmon.out or mon.out tells none.
 */
void profil_notes_print(FILE *out, const struct profile *profile);

/*
 * Print why functions have no names, with the remedy: a line for each file that
 * has a considerable share of such samples.
 */
void profil_hints_print(FILE *out, const struct profile *profile);

/*
 * The lines of both, in memory of malloc(): each ends with a newline,
 * and names in it have no control characters.
 */
char *profil_notes_text(const struct profile *profile);

/* Seconds of CPU time that are not in the samples; 0 if chance explains them */
double profil_missing_seconds(const struct profile *profile);

/*
 * Print the next command behind a semicolon, if there is one that helps: one for the
 * kernel, for the hottest function of the user's own code, or for all programs or
 * objects. @rows are the functions of @profile.
 */
void profil_next_print(FILE *out, const struct profile *profile,
		       const struct rows *rows);

#endif
