/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the page */
#ifndef PROFIL_HTML_PAGE_H
#define PROFIL_HTML_PAGE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "annotate/source_text.h"
#include "profile/profile.h"

/*
 * Print @text for an element or a quoted attribute. Bytes that are not printable
 * are shown as \xNN; after @width characters the text is cut.
 */
void profil_html_text(FILE *out, const char *text, size_t width);

/* As profil_html_text(), with HTML_NAME characters */
void profil_html_name(FILE *out, const char *name);

/* Rows of the table; the others are added up. */
#define HOT_ROWS 2000

/**
 * struct hot_row - samples of a function, or in no function
 * @function: index of the function, or PROFILE_NONE
 * @object: index of the object, or PROFILE_NONE for samples in no object
 * @name: name in brackets where there is no function
 * @samples: all samples
 * @kernel: those in kernel mode
 * @is_source: the page has the source of the function
 */
struct hot_row {
	uint32_t function;
	uint32_t object;
	const char *name;
	uint64_t samples;
	uint64_t kernel;
	bool is_source;
};

/**
 * struct hot - rows of a profile
 * @profile: the profile
 * @rows: rows, by falling number of samples
 * @nr: elements of @rows
 * @row_of: index in @rows of each function, or PROFILE_NONE
 * @objects: samples of each object
 * @programs: samples of each program
 * @total: samples that are 100 %
 * @period: seconds that a sample stands for
 */
struct hot {
	const struct profile *profile;
	struct hot_row *rows;
	size_t nr;
	uint32_t *row_of;
	uint64_t *objects;
	uint64_t *programs;
	uint64_t total;
	double period;
};

void profil_hot_read(struct hot *hot, const struct profile *profile);
void profil_hot_free(struct hot *hot);

/* Name of the row's function */
const char *profil_hot_name(const struct hot *hot, const struct hot_row *row);

/* @samples in percent of the total */
double profil_hot_percent(const struct hot *hot, uint64_t samples);

/* Indices of @nr elements, by falling value; to be freed */
uint32_t *profil_hot_order(const uint64_t *values, uint32_t nr);

/* Mark the rows of functions whose source is printed. */
void profil_html_choose_source(struct hot *hot);

/* Print the source of the marked functions, with the samples of each line. */
void profil_html_source(FILE *out, const struct hot *hot,
			struct source_finder *finder);

/* Print the strips of the objects with the most samples, and their legend. */
void profil_html_map(FILE *out, const struct hot *hot);

/* print.c.css and print.c.js */
extern const char profil_html_style[];
extern const char profil_html_script[];

#endif
