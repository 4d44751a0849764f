// SPDX-License-Identifier: GPL-2.0-only
/* Options of the command line, by the table of each verb */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/exit_status.h"
#include "util/option.h"
#include "util/output.h"

/* Upper limit of rows in a table */
#define MAX_ROWS 24

/* Columns of an option's name and value in the help */
#define WIDTH 24

/**
 * struct parser - a table of options in the form of getopt_long(3)
 * @letters: short names, each with a colon if it has a value
 * @words: long names
 */
struct parser {
	char letters[2 * MAX_ROWS + 3];
	struct option words[MAX_ROWS + 1];
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

static const struct option_row *row_of(const struct verb *verb, int letter)
{
	for (const struct option_row *row = verb->options; row->letter; row++)
		if (row->letter == letter)
			return row;
	return NULL;
}

/*
 * Exit because of the result @option of getopt_long(3). A letter is in optopt;
 * an unknown word is the last argument that was read.
 */
static void refuse(const struct verb *verb, int option, char **argv)
{
	char letter[] = { '-', optopt, '\0' };

	if (option == ':')
		errx(EXIT_PROFIL, "%s: %s needs a value; see profil %s --help",
		     verb->name, letter, verb->name);
	if (optopt && row_of(verb, optopt))
		errx(EXIT_PROFIL, "%s: %s takes no value; see profil %s --help",
		     verb->name, argv[optind - 1], verb->name);
	errx(EXIT_PROFIL, "%s: no such option: %s; see profil %s --help",
	     verb->name, optopt ? letter : argv[optind - 1], verb->name);
}

static struct option_rate rate_of(const char *text)
{
	char *end;
	long hz;

	errno = 0;
	hz = strtol(text, &end, 10);
	if (errno || end == text || *end)
		errx(EXIT_PROFIL,
		     "-F %s: give samples a second as a number, as in -F 1000",
		     text);
	return (struct option_rate){ hz, true };
}

/* Act on one option; optarg is its value. */
static void apply(const struct verb *verb, const struct option_row *row,
		  void *request)
{
	void *member = (char *)request + row->offset;

	switch (row->kind) {
	case OPTION_REFUSED:
		errx(EXIT_PROFIL, "%s: -%c: %s", verb->name, row->letter,
		     row->text);
	case OPTION_HELP:
		profil_option_help(verb);
		exit(0);
	case OPTION_FLAG:
		*(bool *)member = true;
		break;
	case OPTION_STRING:
		*(const char **)member = optarg;
		break;
	case OPTION_LIST:
		*(*(char ***)member)++ = optarg;
		break;
	case OPTION_RATE:
		*(struct option_rate *)member = rate_of(optarg);
		break;
	}
}

void profil_option_parse(const struct verb *verb, int argc, char **argv,
			 void *request)
{
	struct parser parser;
	int option;

	make(&parser, verb);
	while ((option = getopt_long(argc, argv, parser.letters, parser.words,
				     NULL)) != -1) {
		if (option == ':' || option == '?')
			refuse(verb, option, argv);
		apply(verb, row_of(verb, option), request);
	}
}

static void print_row(FILE *out, const struct option_row *row)
{
	const char *text = row->text;
	int width = fprintf(out, "  -%c, --%s%s%s", row->letter, row->word,
			    row->value ? "=" : "",
			    row->value ? row->value : "");

	while (*text) {
		int length = strcspn(text, "\n");

		fprintf(out, "%*s%.*s\n",
			width < WIDTH + 2 ? WIDTH + 4 - width : 2, "", length,
			text);
		text += length + (text[length] == '\n');
		width = 0;
	}
}

void profil_option_synopsis(FILE *out, const struct verb *verb,
			    const char *prefix)
{
	fprintf(out, "%s profil %s [OPTION]... %s\n", prefix, verb->name,
		verb->operands);
}

void profil_option_help(const struct verb *verb)
{
	FILE *out = profil_output_stdout();

	profil_option_synopsis(out, verb, "usage:");
	fprintf(out, "\n%s\n", verb->about);
	for (const struct option_row *row = verb->options; row->letter; row++)
		if (row->kind != OPTION_REFUSED)
			print_row(out, row);
	if (verb->example)
		fprintf(out, "\n%s", verb->example);
	profil_output_close(out, NULL);
}
