/* SPDX-License-Identifier: GPL-2.0-only */
/* An annotated function while it is printed: its columns and its instructions */
#ifndef PROFIL_LISTING_H
#define PROFIL_LISTING_H

#include "annotate/function.h"
#include "annotate/instructions.h"
#include "annotate/source_text.h"

/* Lines or instructions that are shown before and after those with samples */
#define PAGE_CONTEXT 2

/* Width of the columns of shares and errors */
#define PAGE_SHARES 11

/*
 * A function while it is printed. @all: show all instructions. @key: option or key by
 * which the user asks for them. @source: directory with the source files, or NULL. The
 * last two members are set while the function is printed
 */
struct annotated_page {
	FILE *out;
	bool has_colours;
	bool all;
	const char *key;
	const char *source;
	const struct annotated_function *annotated;
	struct source_finder finder;
	struct instructions code;
};

/* Begin and end a row of @samples, in the colour of its share. */
void profil_listing_begin_row(const struct annotated_page *page,
			      uint64_t samples);
void profil_listing_end_row(const struct annotated_page *page);

/* Print the share of @samples and its error, PAGE_SHARES wide; none for 0. */
void profil_listing_print_share(const struct annotated_page *page,
				uint64_t samples);

/* Head of these two columns */
void profil_listing_print_head(const struct annotated_page *page);

/*
 * Print the instructions with samples, and instructions around them, or all
 * instructions of the function.
 */
void profil_listing_print(struct annotated_page *page);

#endif
