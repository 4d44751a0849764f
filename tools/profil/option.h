/* SPDX-License-Identifier: GPL-2.0-only */
/* The verbs of the command, and the options of each */
#ifndef PROFIL_OPTION_H
#define PROFIL_OPTION_H

#include <stdio.h>

/**
 * struct option_row - an option of a verb
 * @letter: its letter; 0 ends a table of options
 * @word: its long name
 * @value: name of its value in capitals, or NULL if it has none
 * @help: what it does, in lines; NULL if it is refused
 * @refusal: why it is refused, after "-g: "; NULL if it is not
 */
struct option_row {
	char letter;
	const char *word;
	const char *value;
	const char *help;
	const char *refusal;
};

/**
 * struct verb - one of the things that the command does
 * @name: its name
 * @usage: its operands
 * @about: what it does, in lines
 * @example: lines to follow the options
 * @operands_end_options: whether the first operand ends the options
 * @options: its options, for which both parsing and help go by this table
 * @main: does it, with the arguments from its name on; the exit status
 */
struct verb {
	const char *name;
	const char *usage;
	const char *about;
	const char *example;
	int operands_end_options;
	const struct option_row *options;
	int (*main)(int argc, char **argv);
};

/* The row of -h, which every verb has */
#define OPTION_HELP                                           \
	{                                                     \
		'h', "help", NULL, "print this summary", NULL \
	}

/*
 * The next option of @argv by getopt(3), as its letter; -1 at their end.
 * optarg has its value, if it takes one. Prints the help and exits with 0 at
 * -h; exits with a sentence at an option that @verb does not have.
 */
int profil_option_next(const struct verb *verb, int argc, char **argv);

/* Print what @verb does, and its options. */
void profil_option_help(FILE *out, const struct verb *verb);

/* @text as the samples a second of -F; exits if it is no number. */
long profil_option_hz(const char *text);

#endif
