// SPDX-License-Identifier: GPL-2.0-only
/* All verbs: their list, their summaries, and completion of their command lines */
#include "util/output.h"
#include "util/value.h"
#include "verbs.h"

const struct verb *const profil_verbs[] = {
	&profil_verb_run,
	&profil_verb_record,
	&profil_verb_top,
	&profil_verb_report,
	&profil_verb_annotate,
	&profil_verb_diff,
	&profil_verb_export,
	&profil_verb_push,
	&profil_verb_doctor,
	&profil_verb_help,
	NULL,
};

static const struct verb *find_verb(const char *name)
{
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		if (!strcmp(name, (*verb)->name))
			return *verb;
	return NULL;
}

const struct verb *profil_verb_require(const char *name)
{
	const struct verb *found = find_verb(name);
	const char *nearest = NULL;

	if (found)
		return found;
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		nearest = profil_nearer(name, nearest, (*verb)->name);
	if (nearest)
		die_err("there is no \"profil %s\"; the nearest is \"profil %s\"; see profil --help",
			name, nearest);
	die_err("there is no \"profil %s\"; see profil --help", name);
}

int profil_help_print(void)
{
	FILE *out = profil_output_stdout();
	const char *prefix = "usage:";

	for (const struct verb *const *verb = profil_verbs; *verb; verb++) {
		profil_option_synopsis(out, *verb, prefix);
		prefix = "      ";
	}
	fputs("       profil -h | --help | -V | --version\n", out);
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		fprintf(out, "\n%s", (*verb)->about);
	fputs("\nOptions of a verb: profil help VERB. Manual: profil(1), profil-VERB(1).\n",
	      out);
	profil_output_close(out, NULL);
	return 0;
}

/* `profil help` */

static int print_help(int argc, char **argv)
{
	char request;

	profil_option_parse(&profil_verb_help, argc, argv, &request);
	if (!argv[optind])
		return profil_help_print();
	if (argv[optind + 1])
		die_err("help: name one verb, as in profil help %s",
			argv[optind]);
	profil_option_help(profil_verb_require(argv[optind]));
	return 0;
}

static const struct option_row options[] = { OPTION_ROW_HELP, { 0 } };

const struct verb profil_verb_help = {
	.name = "help",
	.operands = "[VERB]",
	.about =
		"profil help prints this summary, or that of VERB with its options.\n",
	.options = options,
	.main = print_help,
	.completion = COMPLETE_VERB,
};

/* Completion of a command line, for the scripts in completion */

/**
 * struct place - what the last argument is
 * @out: output
 * @word: the argument, which may be incomplete
 * @value_of: option that the argument is the value of, or NULL
 * @first: number of the first operand, if operands end the options
 * @no_options: the argument is an operand, even if it begins with a hyphen
 */
struct place {
	FILE *out;
	const char *word;
	const struct option_row *value_of;
	int first;
	bool no_options;
};

/* Print @candidate if it begins with the word. */
static void offer(const struct place *place, const char *candidate,
		  const char *suffix)
{
	if (!strncmp(candidate, place->word, strlen(place->word)))
		fprintf(place->out, "%s%s\n", candidate, suffix);
}

static void offer_verbs(const struct place *place)
{
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		offer(place, (*verb)->name, "");
}

/* Print the list with each word of @choices that it does not have. */
static void offer_choices(const struct place *place, const char *const *choices)
{
	const char *comma = strrchr(place->word, ',');
	int length = comma ? comma + 1 - place->word : 0;
	char given[256], list[256];

	snprintf(given, sizeof(given), ",%.*s", length, place->word);
	for (; *choices; choices++) {
		snprintf(list, sizeof(list), ",%s,", *choices);
		if (strstr(given, list))
			continue;
		snprintf(list, sizeof(list), "%.*s%s", length, place->word,
			 *choices);
		offer(place, list, "");
	}
}

static void offer_value(const struct place *place)
{
	const struct option_row *row = place->value_of;
	const char *const *word = row->choices;

	if (row->kind == OPTION_CHOICES)
		offer_choices(place, row->choices);
	else
		for (; word && *word; word++)
			offer(place, *word, "");
	if ((row->kind == OPTION_STRING || row->kind == OPTION_LIST) &&
	    row->completion == COMPLETE_FILE)
		fputs("<file>\n", place->out);
}

static void offer_options(const struct place *place, const struct verb *verb)
{
	for (const struct option_row *row = verb->options; row->word; row++) {
		char letter[] = { '-', row->letter, '\0' };
		char word[64];

		if (row->kind == OPTION_REFUSED)
			continue;
		snprintf(word, sizeof(word), "--%s", row->word);
		offer(place, word, row->value ? "=" : "");
		if (row->letter && strlen(place->word) < 3)
			offer(place, letter, "");
	}
}

static void offer_operand(const struct place *place, const struct verb *verb)
{
	switch (verb->completion) {
	case COMPLETE_FILE:
		fputs("<file>\n", place->out);
		break;
	case COMPLETE_COMMAND:
		fprintf(place->out, "<command %d>\n", place->first);
		break;
	case COMPLETE_VERB:
		offer_verbs(place);
		break;
	case COMPLETE_NOTHING:
		break;
	}
}

static const struct option_row *row_of_word(const struct verb *verb,
					    const char *word, size_t length)
{
	for (const struct option_row *row = verb->options; row->word; row++)
		if (strlen(row->word) == length &&
		    !memcmp(row->word, word, length))
			return row;
	return NULL;
}

/* The last argument may be --word=value. */
static void split(struct place *place, const struct verb *verb)
{
	const char *equal = strchr(place->word, '=');

	if (place->value_of || place->no_options || !equal ||
	    strncmp(place->word, "--", 2))
		return;
	place->value_of =
		row_of_word(verb, place->word + 2, equal - place->word - 2);
	if (place->value_of)
		place->word = equal + 1;
}

static void complete(struct place *place, const struct verb *verb, char **words)
{
	int argc = 0;

	while (words[argc + 1])
		argc++;
	place->word = words[argc];
	place->value_of =
		profil_option_open(verb, argc, words, &place->no_options);
	place->first = optind + 1;
	split(place, verb);
	if (place->value_of)
		offer_value(place);
	else if (!place->no_options && *place->word == '-')
		offer_options(place, verb);
	else
		offer_operand(place, verb);
}

int profil_complete_print(char **words)
{
	struct place place = { .out = profil_output_stdout() };
	const struct verb *verb;

	if (words[0] && words[1]) {
		verb = find_verb(words[0]);
		if (verb)
			complete(&place, verb, words);
	} else if (words[0]) {
		place.word = words[0];
		offer_verbs(&place);
		offer(&place, "--help", "");
		offer(&place, "--version", "");
	}
	profil_output_close(place.out, NULL);
	return 0;
}
