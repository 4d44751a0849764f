// SPDX-License-Identifier: GPL-2.0-only
/* Options of the command line, by the table of each verb */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "option.h"
#include "output.h"
#include "status.h"

/* More than a verb has */
#define MOST 24

/* Columns of an option's name and value in the help */
#define WIDTH 24

/**
 * struct parser - a table of options as getopt_long(3) wants it
 * @letters: the letters, each with a colon if it has a value
 * @words: the long names
 */
struct parser {
	char letters[2 * MOST + 3];
	struct option words[MOST + 1];
};

static void make(struct parser *parser, const struct verb *verb)
{
	char *letter = parser->letters;
	int i = 0;

	*parser = (struct parser){ 0 };
	if (verb->operands_end_options)
		*letter++ = '+';
	*letter++ = ':';
	for (const struct option_row *row = verb->options; row->letter; row++) {
		*letter++ = row->letter;
		if (row->value)
			*letter++ = ':';
		parser->words[i++] = (struct option){
			.name = row->word,
			.has_arg = row->value ? required_argument : no_argument,
			.val = row->letter,
		};
	}
}

static const struct option_row *find(const struct verb *verb, int letter)
{
	for (const struct option_row *row = verb->options; row->letter; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

/* A letter is in optopt; a word that is not known is the last that was read. */
static void refuse(const struct verb *verb, int option, char **argv)
{
	char letter[] = { '-', optopt, '\0' };

	if (option == ':')
		errx(EXIT_PROFIL, "%s: %s needs a value; see profil %s --help",
		     verb->name, letter, verb->name);
	if (optopt && find(verb, optopt))
		errx(EXIT_PROFIL, "%s: %s takes no value; see profil %s --help",
		     verb->name, argv[optind - 1], verb->name);
	errx(EXIT_PROFIL, "%s: no such option: %s; see profil %s --help",
	     verb->name, optopt ? letter : argv[optind - 1], verb->name);
}

int profil_option_next(const struct verb *verb, int argc, char **argv)
{
	const struct option_row *row;
	struct parser parser;
	int option;

	make(&parser, verb);
	option = getopt_long(argc, argv, parser.letters, parser.words, NULL);
	if (option == ':' || option == '?')
		refuse(verb, option, argv);
	row = find(verb, option);
	if (row && row->refusal)
		errx(EXIT_PROFIL, "%s: -%c: %s", verb->name, row->letter,
		     row->refusal);
	if (option == 'h') {
		profil_option_help(stdout, verb);
		profil_output_close(stdout, NULL);
		exit(0);
	}
	return option;
}

static void print_row(FILE *out, const struct option_row *row)
{
	const char *help = row->help;
	int width = fprintf(out, "  -%c, --%s%s%s", row->letter, row->word,
			    row->value ? "=" : "",
			    row->value ? row->value : "");

	while (*help) {
		int length = strcspn(help, "\n");

		fprintf(out, "%*s%.*s\n",
			width < WIDTH + 2 ? WIDTH + 4 - width : 2, "", length,
			help);
		help += length + (help[length] == '\n');
		width = 0;
	}
}

void profil_option_help(FILE *out, const struct verb *verb)
{
	fprintf(out, "usage: profil %s %s\n\n%s\n", verb->name, verb->usage,
		verb->about);
	for (const struct option_row *row = verb->options; row->letter; row++)
		if (row->help)
			print_row(out, row);
	if (verb->example)
		fprintf(out, "\n%s", verb->example);
}

long profil_option_hz(const char *text)
{
	char *end;
	long hz;

	errno = 0;
	hz = strtol(text, &end, 10);
	if (errno || end == text || *end)
		errx(EXIT_PROFIL,
		     "-F %s: give samples a second as a number, as in -F 1000",
		     text);
	return hz;
}
