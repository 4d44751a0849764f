/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Verbs of the command, and the options of each
 *
 * One table for each verb gives what getopt_long(3) accepts, where a value is
 * stored, and what --help prints. A test compares profil(1) with it.
 */
#ifndef PROFIL_OPTION_H
#define PROFIL_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/**
 * enum option_kind - type of the member that an option sets
 * @OPTION_REFUSED: none; the option is refused with a reason
 * @OPTION_HELP: none; the help is printed
 * @OPTION_FLAG: bool, set to true
 * @OPTION_STRING: const char *, the last value counts
 * @OPTION_LIST: char **, next free element of an array; all values count
 * @OPTION_RATE: struct option_rate
 */
enum option_kind {
	OPTION_REFUSED,
	OPTION_HELP,
	OPTION_FLAG,
	OPTION_STRING,
	OPTION_LIST,
	OPTION_RATE,
};

/**
 * struct option_rate - value of an option in samples per second
 * @hz: the value
 * @is_set: the option was given
 */
struct option_rate {
	long hz;
	bool is_set;
};

/**
 * struct option_row - an option of a verb
 * @letter: short name; 0 ends a table
 * @word: long name
 * @kind: type of the member
 * @offset: offset of the member in the structure that is filled
 * @value: name of the value in capitals, or NULL if the option has none
 * @text: description in lines, or the reason why the option is refused
 */
struct option_row {
	char letter;
	const char *word;
	enum option_kind kind;
	size_t offset;
	const char *value;
	const char *text;
};

/**
 * struct verb - what the first argument of the command selects
 * @name: the argument
 * @operands: operands, for the synopsis
 * @about: description, in lines
 * @example: lines below the options, or NULL
 * @operands_end_options: the first operand ends the options
 * @options: table of options
 * @main: function that gets the arguments from @name on; the exit status
 */
struct verb {
	const char *name;
	const char *operands;
	const char *about;
	const char *example;
	bool operands_end_options;
	const struct option_row *options;
	int (*main)(int argc, char **argv);
};

/* Row of -h, which every verb has */
#define OPTION_ROW_HELP                                                 \
	{                                                               \
		'h', "help", OPTION_HELP, 0, NULL, "print this summary" \
	}

/*
 * Fill the structure @request by the options of @argv; optind is the first
 * operand then. Prints the help and exits with 0 at -h. Exits with a sentence
 * at an option that @verb does not have, refuses, or cannot convert.
 */
void profil_option_parse(const struct verb *verb, int argc, char **argv,
			 void *request);

/* Print the synopsis of @verb, after @prefix. */
void profil_option_synopsis(FILE *out, const struct verb *verb,
			    const char *prefix);

/* Print the synopsis, description and options of @verb to stdout. */
void profil_option_help(const struct verb *verb);

#endif
