/* SPDX-License-Identifier: GPL-2.0-only */
/* Annotated function while it is printed: columns and instructions */
#ifndef PROFIL_ANNOTATE_PAGE_H
#define PROFIL_ANNOTATE_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "annotate/code.h"
#include "annotate/subject.h"
#include "source/finder.h"

/* Lines or instructions that are shown before and after those with samples */
#define PAGE_CONTEXT 2

/* Width of the columns of shares and errors */
#define PAGE_SHARES 11

/**
 * struct page - a function while it is printed
 * @out: destination
 * @has_colours: @out has colours
 * @all: show all instructions
 * @key: option or key by which the user asks for them
 * @source: directory with the source files, or NULL
 * @subject: the function
 * @finder: where source files are looked for, while the function is printed
 * @code: its machine code, the same
 */
struct page {
	FILE *out;
	bool has_colours;
	bool all;
	const char *key;
	const char *source;
	const struct subject *subject;
	struct source_finder finder;
	struct code code;
};

/* Begin and end a row of @samples, in the colour of its share. */
void profil_page_begin_row(const struct page *page, uint64_t samples);
void profil_page_end_row(const struct page *page);

/* Print the share of @samples and its error, PAGE_SHARES wide; none for 0. */
void profil_page_print_share(const struct page *page, uint64_t samples);

/* Head of these two columns */
void profil_page_print_head(const struct page *page);

/* Print @text with escapes in place of bytes that are not printable. */
void profil_page_print_text(const struct page *page, const char *text);

/*
 * Print the instructions with samples, and instructions around them, or all
 * instructions of the function.
 */
void profil_code_page_print(struct page *page);

/*
 * Print the function of @page, of which all but the last two members are set: a
 * heading with @file, where the profile is from, its source lines, and its
 * instructions if they are wanted or lines are not known.
 */
void profil_annotate_print(struct page *page, const char *file);

#endif
