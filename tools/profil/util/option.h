/* SPDX-License-Identifier: GPL-2.0-only */
/* Options of the command line */
#ifndef PROFIL_UTIL_OPTION_H
#define PROFIL_UTIL_OPTION_H

#include "util/base.h"

/* Upper limit of rows in a table */
#define OPTION_ROWS 40

/**
 * enum option_kind - type of the member that an option sets
 * @OPTION_REFUSED: none; the option is refused with a reason
 * @OPTION_HELP: none; the help is printed
 * @OPTION_FLAG: bool, set to true
 * @OPTION_STRING: const char *, the last value counts
 * @OPTION_LIST: struct option_list; all values count
 * @OPTION_RATE: struct option_rate
 * @OPTION_NUMBER: long, from least to most
 * @OPTION_NUMBERS: struct option_numbers, of such numbers with commas between; all values
 *	count
 * @OPTION_PERCENT: double, from 0 to 100
 * @OPTION_SECONDS: uint64_t, in nanoseconds
 * @OPTION_CHOICE: int, index in choices
 * @OPTION_CHOICES: struct value_choices
 * @OPTION_REGEX: regex_t *, a POSIX extended regular expression
 *
 * The member keeps its value if the option is not given.
 */
enum option_kind {
	OPTION_REFUSED,
	OPTION_HELP,
	OPTION_FLAG,
	OPTION_STRING,
	OPTION_LIST,
	OPTION_RATE,
	OPTION_NUMBER,
	OPTION_NUMBERS,
	OPTION_PERCENT,
	OPTION_SECONDS,
	OPTION_CHOICE,
	OPTION_CHOICES,
	OPTION_REGEX,
};

/*
 * Values of an option that may be given several times, ended by NULL, to be freed; NULL
 * if there are none
 */
struct option_list {
	char **items;
	size_t nr;
};

/* Numbers of an option that may be given several times */
struct option_numbers {
	long *items;
	size_t nr;
};

/* Append @item, which has to remain. */
void profil_option_list_add(struct option_list *list, char *item);

/* Value of an option in samples per second */
struct option_rate {
	long hz;
	bool is_set;
};

/*
 * What the shell completes where the table has no words; the last two are for operands.
 * A command has arguments of its own.
 */
enum option_completion {
	COMPLETE_FILE,
	COMPLETE_NOTHING,
	COMPLETE_COMMAND,
	COMPLETE_VERB,
};

/*
 * An option of a verb
 * @letter: short name, or 0 if there is only a long one
 * @word: long name; NULL ends a table
 * @value: name of the value in capitals, or NULL if the option has none
 * @text: description, or the reason why the option is refused; --help breaks
 *        its lines
 * @choices: for OPTION_CHOICE and OPTION_CHOICES: the words, ended by NULL
 * @preset: value without the option, as text for --help, or NULL
 * @group: heading in --help above this row, or NULL
 * @completion: COMPLETE_FILE or COMPLETE_NOTHING, for a string
 */
struct option_row {
	int letter;
	const char *word;
	enum option_kind kind;
	size_t offset;
	const char *value;
	const char *text;
	const char *const *choices;
	long least;
	long most;
	const char *preset;
	const char *group;
	enum option_completion completion;
};

/*
 * What the first argument of the command selects
 * @name: the argument
 * @example: lines below the options, or NULL
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
	enum option_completion completion;
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

/*
 * Row of the option at the end of @argv, @argc words, that lacks its value, or NULL; then
 * @no_options is set if options have ended. optind is as of profil_option_parse().
 */
const struct option_row *profil_option_open(const struct verb *verb, int argc,
					    char **argv, bool *no_options);

/* Print the synopsis of @verb, after @prefix. */
void profil_option_synopsis(FILE *out, const struct verb *verb,
			    const char *prefix);

/* Print the synopsis, description and options of @verb to stdout. */
void profil_option_help(const struct verb *verb);

#endif
