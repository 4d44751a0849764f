/* SPDX-License-Identifier: GPL-2.0-only */
/* A function with its samples by instruction and source line, its source files, and its page */
#ifndef PROFIL_ANNOTATE_H
#define PROFIL_ANNOTATE_H

#include "profile/rows.h"
#include "resolve/units.h"

/* Function that is annotated, and its samples by instruction and source line */

/*
 * A function, its instructions with samples, ascending by address, and all of these
 * samples. @inlined: samples in other functions, where the function was inlined.
 * @others: indices of other functions that match, the hottest first
 */
struct annotated_function {
	const struct profile *profile;
	uint32_t function;
	struct groups hits;
	uint64_t samples;
	uint64_t inlined;
	uint32_t *others;
	uint32_t nr_others;
};

/*
 * Find the hottest function whose name or symbol is @name, or else contains it;
 * NULL: the hottest of all. @object is a pattern for paths of objects, or NULL.
 * False if no function with samples matches.
 */
bool profil_annotated_find(struct annotated_function *annotated,
			   const struct profile *profile, const char *name,
			   const regex_t *object);

/*
 * Read the samples of @function, an index; @with_inlined: also those in other functions,
 * where the function was inlined
 */
void profil_annotated_make(struct annotated_function *annotated,
			   const struct profile *profile, uint32_t function,
			   bool with_inlined);
void profil_annotated_free(struct annotated_function *annotated);

/* Printable name of @function, an index, shortened to @width characters */
char *profil_annotated_name(const struct profile *profile, uint32_t function,
			    size_t width);

/* Share of @samples in those of the function, in percent */
double profil_annotated_percent(const struct annotated_function *annotated,
				uint64_t samples);

/* Number of a group: 1 if the innermost frame is in an inlined function, or 0 */
#define INNER_IS_INLINED 5

/*
 * Samples of the line @number, and the places of the source that they are in, the
 * hottest first: a number of each is INNER_IS_INLINED. @has_inlined: some are in inlined
 * functions
 */
struct line_hits {
	uint32_t number;
	uint64_t samples;
	const struct group *inner;
	size_t nr_inner;
	bool has_inlined;
};

/*
 * Samples of the function in a source file, by its path when it was compiled, and in its
 * lines, which ascend
 */
struct file_hits {
	const char *file;
	uint64_t samples;
	struct line_hits *lines;
	size_t nr_lines;
};

/*
 * Samples of the function with a known line, by file, the hottest first, and the lines
 * and places of all files
 */
struct source_hits {
	struct file_hits *files;
	size_t nr_files;
	uint64_t samples;
	struct line_hits *lines;
	size_t nr_lines;
	struct groups inner;
};

/* Line 0 stands for code that the compiler has made without a line. */
void profil_source_hits_read(struct source_hits *source,
			     const struct annotated_function *annotated);
void profil_source_hits_free(struct source_hits *source);

/* Source files of a profile, and their lines */

/**
 * enum source_error - errors of opening a source file
 * @SOURCE_READ: none
 * @SOURCE_MISSING: there is no such file, or it cannot be read
 * @SOURCE_FOREIGN: only the profile names the file
 * @SOURCE_NEWER: the file has changed after the program was built
 */
enum source_error {
	SOURCE_READ,
	SOURCE_MISSING,
	SOURCE_FOREIGN,
	SOURCE_NEWER,
};

/*
 * Where source files of a profile are looked for: in @directory, or NULL, and by names
 * in the last object that was asked, or PROFILE_NONE, and its file, or NULL. @bias:
 * difference between addresses in the DWARF information and link-time addresses
 */
struct source_finder {
	const char *directory;
	const struct profile *profile;
	uint32_t object;
	struct symbols *symbols;
	struct units units;
	uint64_t bias;
};

void profil_source_finder_begin(struct source_finder *finder,
				const struct profile *profile,
				const char *directory);
void profil_source_finder_end(struct source_finder *finder);

/*
 * The lines of a source file, and its text, each line ended by a zero. @written_ns: time
 * of its last change, in nanoseconds since 1970
 */
struct source_text {
	char *path;
	uint64_t written_ns;
	char *text;
	char **lines;
	uint32_t nr;
};

/*
 * Read the file that was compiled as @path, a string of the profile: below the
 * directory of the user's choice, where leading parts of the path may be
 * missing; or, if a program on this machine names @path as its source, at the
 * path itself or, without a directory of the user's choice, below the present
 * one. A file below a directory is never outside of it by a part "..". A symbolic
 * link is followed if it is of the caller, of root or of the owner of the file.
 * A file that was modified after @built_ns, nanoseconds since 1970, is not read; 0: any file
 * is.
 */
enum source_error profil_source_text_read(struct source_text *source,
					  struct source_finder *finder,
					  const char *path, uint64_t built_ns);
void profil_source_text_free(struct source_text *source);

/*
 * Copy of the line @number without tabs, made by @printable; NULL if there is none
 */
char *profil_source_text_line(const struct source_text *source, uint32_t number,
			      char *(*printable)(const char *text));

/* Annotated function while it is printed: columns and instructions */

/*
 * An instruction with its link-time address and its bytes. @text: mnemonic and operands,
 * or bytes
 */
struct instruction {
	uint64_t address;
	uint32_t size;
	char text[96];
};

/*
 * Machine code of one function at a time, or of PROFILE_NONE: its bytes, or NULL, and
 * its instructions, ascending by address; none if they are not known. @symbols: its
 * file, or NULL if the profile has the code
 */
struct code {
	const struct profile *profile;
	uint32_t function;
	const uint8_t *bytes;
	struct symbols *symbols;
	struct instruction *array;
	size_t nr;
};

/* Forget the code. */
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
