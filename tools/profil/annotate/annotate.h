/* SPDX-License-Identifier: GPL-2.0-only */
/* Annotated function while it is printed: columns and instructions */
#ifndef PROFIL_ANNOTATE_H
#define PROFIL_ANNOTATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "annotate/function.h"
#include "annotate/source_text.h"
#include "elf/symbols.h"
#include "profile/profile.h"

/**
 * struct instruction - one instruction
 * @address: link-time address
 * @size: bytes
 * @text: mnemonic and operands, or bytes
 */
struct instruction {
	uint64_t address;
	uint32_t size;
	char text[96];
};

/**
 * struct code - machine code of one function at a time
 * @profile: the profile
 * @function: index of the function, or PROFILE_NONE
 * @bytes: its code, or NULL
 * @symbols: its file, or NULL if the profile has the code
 * @array: its instructions, ascending by address; none if they are not known
 * @nr: elements of @array
 */
struct code {
	const struct profile *profile;
	uint32_t function;
	const uint8_t *bytes;
	struct symbols *symbols;
	struct instruction *array;
	size_t nr;
};

void profil_code_begin(struct code *code, const struct profile *profile);
void profil_code_end(struct code *code);

/*
 * Read the code of @function from the profile, or from its file if that has the
 * build ID of the file that was profiled. Without code, @code->bytes is NULL.
 */
void profil_code_read(struct code *code, uint32_t function);

/*
 * Text of the instruction of @function at @address; its bytes if there is no
 * disassembler, and "" without code. It is valid until the next call.
 */
const char *profil_code_text(struct code *code, uint32_t function,
			     uint64_t address);

/*
 * Printable name of the function @index without result, parameters and template arguments,
 * as std::sort<...>, cut after @width characters.
 */
char *profil_short_name(const struct profile *profile, uint32_t index,
			size_t width);

/* Lines or instructions that are shown before and after those with samples */
#define PAGE_CONTEXT 2

/* Width of the columns of shares and errors */
#define PAGE_SHARES 11

/**
 * struct annotated_page - a function while it is printed
 * @out: destination
 * @has_colours: @out has colours
 * @all: show all instructions
 * @key: option or key by which the user asks for them
 * @source: directory with the source files, or NULL
 * @annotated: the function
 * @finder: where source files are looked for, while the function is printed
 * @code: its machine code, the same
 */
struct annotated_page {
	FILE *out;
	bool has_colours;
	bool all;
	const char *key;
	const char *source;
	const struct annotated_function *annotated;
	struct source_finder finder;
	struct code code;
};

/* Begin and end a row of @samples, in the colour of its share. */
void profil_annotated_begin_row(const struct annotated_page *page,
				uint64_t samples);
void profil_annotated_end_row(const struct annotated_page *page);

/* Print the share of @samples and its error, PAGE_SHARES wide; none for 0. */
void profil_annotated_print_share(const struct annotated_page *page,
				  uint64_t samples);

/* Head of these two columns */
void profil_annotated_print_head(const struct annotated_page *page);

/* Print @text with escapes in place of bytes that are not printable. */
void profil_annotated_print_text(const struct annotated_page *page,
				 const char *text);

/*
 * Print the instructions with samples, and instructions around them, or all
 * instructions of the function.
 */
void profil_annotated_print_code(struct annotated_page *page);

/*
 * Print the function of @page, of which all but the last two members are set: a
 * heading with @file, where the profile is from, its source lines, and its
 * instructions if they are wanted or lines are not known.
 */
void profil_annotate_print(struct annotated_page *page, const char *file);

#endif
