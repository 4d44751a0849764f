// SPDX-License-Identifier: GPL-2.0-only
/* Options of the command line, by the table of each verb */
#include <getopt.h>
#include <regex.h>

#include "util/option.h"
#include "util/output.h"
#include "util/value.h"

/* Summary of a verb and its options */

/* Column of the descriptions, and upper limit of columns */
#define INDENT 28
#define LINE 79

/* Print @text in lines from INDENT on, after @column columns of the first one. */
static void print_text(FILE *out, int column, const char *text)
{
	if (column + 2 > INDENT) {
		fputc('\n', out);
		column = 0;
	}
	fprintf(out, "%*s", INDENT - column - 1, "");
	column = INDENT - 1;
	while (*(text += strspn(text, "\n "))) {
		int length = strcspn(text, "\n ");

		if (column + 1 + length > LINE) {
			fprintf(out, "\n%*s", INDENT - 1, "");
			column = INDENT - 1;
		}
		column += fprintf(out, " %.*s", length, text);
		text += length;
	}
	fputc('\n', out);
}

/* Description of @row, with the words of its value, and its default */
static char *description(const struct option_row *row)
{
	const char *const *word = row->choices;
	char *text;
	FILE *stream = profil_memory_stream(&text, NULL);

	fputs(row->text, stream);
	for (; word && *word; word++)
		fprintf(stream, "%s%s", word == row->choices ? ": " : ", ",
			*word);
	if (row->preset)
		fprintf(stream, " (default: %s)", row->preset);
	profil_memory_stream_end(stream);
	return text;
}

static void print_row(FILE *out, const struct option_row *row)
{
	char letter[] = "  -x, ";
	char *text = description(row);
	int column;

	letter[3] = row->letter;
	column = fprintf(out, "%s--%s%s%s", row->letter ? letter : "      ",
			 row->word, row->value ? "=" : "",
			 row->value ? row->value : "");
	print_text(out, column, text);
	free(text);
}

void profil_option_synopsis(FILE *out, const struct verb *verb,
			    const char *prefix)
{
	fprintf(out, "%s profil %s [OPTION]...%s%s\n", prefix, verb->name,
		*verb->operands ? " " : "", verb->operands);
}

void profil_option_help(const struct verb *verb)
{
	FILE *out = profil_output_stdout();

	profil_option_synopsis(out, verb, "usage:");
	fprintf(out, "\n%s\n", verb->about);
	for (const struct option_row *row = verb->options; row->word; row++) {
		/* The first heading follows an empty line already. */
		if (row->group)
			fprintf(out, "%s%s:\n",
				row == verb->options ? "" : "\n", row->group);
		if (row->kind != OPTION_REFUSED)
			print_row(out, row);
	}
	if (verb->example)
		fprintf(out, "\n%s", verb->example);
	profil_output_close(out, NULL);
}

/* A long name is this and the index of its row; a short one is its letter. */
#define FIRST_WORD (UCHAR_MAX + 1)

/*
 * A table of options in the form of getopt_long(3): short names, each with a colon if it
 * has a value, and long ones
 */
struct parser {
	char letters[2 * OPTION_ROWS + 3];
	struct option words[OPTION_ROWS + 1];
};

/* perf's refused options have a value: --call-graph=dwarf */
static int argument_of(const struct option_row *row)
{
	if (row->kind == OPTION_REFUSED)
		return optional_argument;
	return row->value ? required_argument : no_argument;
}

static void make_parser(struct parser *parser, const struct verb *verb)
{
	char *letter = parser->letters;
	int i = 0;

	*parser = (struct parser){ 0 };
	if (verb->operands_end_options)
		*letter++ = '+';
	*letter++ = ':';
	for (const struct option_row *row = verb->options; row->word; row++) {
		if (row->letter)
			*letter++ = row->letter;
		if (row->letter && row->value)
			*letter++ = ':';
		parser->words[i] = (struct option){
			.name = row->word,
			.has_arg = argument_of(row),
			.val = FIRST_WORD + i,
		};
		i++;
	}
}

/* Row of a result of getopt_long(3), or NULL */
static const struct option_row *row_of(const struct verb *verb, int option)
{
	if (option >= FIRST_WORD)
		return &verb->options[option - FIRST_WORD];
	for (const struct option_row *row = verb->options; row->word; row++)
		if (option && row->letter == option)
			return row;
	return NULL;
}

const struct option_row *profil_option_open(const struct verb *verb, int argc,
					    char **argv, bool *no_options)
{
	const char *value = NULL;
	struct parser parser;
	int option;

	make_parser(&parser, verb);
	while ((option = getopt_long(argc, argv, parser.letters, parser.words,
				     NULL)) != -1) {
		if (option == ':')
			return row_of(verb, optopt);
		value = optarg;
	}
	*no_options =
		(verb->operands_end_options && optind < argc) ||
		(argv[optind - 1] != value && !strcmp(argv[optind - 1], "--"));
	return NULL;
}

/* Exit if two options begin with @name, which is without its dashes. */
static void refuse_beginning(const struct verb *verb, const char *name)
{
	const char *first = NULL;

	for (const struct option_row *row = verb->options; row->word; row++) {
		if (strncmp(row->word, name, strlen(name)))
			continue;
		if (first)
			die_err("%s: --%s is the beginning of --%s and --%s; see profil %s --help",
				verb->name, name, first, row->word, verb->name);
		first = row->word;
	}
}

/* Exit because of the unknown option @word. */
static void refuse_unknown(const struct verb *verb, const char *word)
{
	const char *nearest = NULL;
	char *name = profil_copy_string(word);

	name[strcspn(name, "=")] = '\0';
	if (!strncmp(name, "--", 2) && name[2])
		refuse_beginning(verb, name + 2);
	for (const struct option_row *row = verb->options; row->word; row++)
		nearest = profil_nearer(name + strspn(name, "-"), nearest,
					row->word);
	if (nearest)
		die_err("%s: no such option: %s; the nearest is --%s; see profil %s --help",
			verb->name, name, nearest, verb->name);
	die_err("%s: no such option: %s; see profil %s --help", verb->name,
		name, verb->name);
}

/*
 * Exit because of the result @option of getopt_long(3). A known option is in
 * optopt; an unknown word is the last argument that was read.
 */
static void refuse(const struct verb *verb, int option, char **argv)
{
	const struct option_row *row = row_of(verb, optopt);
	const char *word = argv[optind - 1];
	char letter[] = { '-', optopt, '\0' };

	if (option == ':')
		die_err("%s: %s needs a value; see profil %s --help",
			verb->name, optopt < FIRST_WORD ? letter : word,
			verb->name);
	if (row)
		die_err("%s: --%s takes no value; see profil %s --help",
			verb->name, row->word, verb->name);
	refuse_unknown(verb, optopt ? letter : word);
}

static struct option_rate rate_of(const char *text)
{
	char *end;
	long hz;

	errno = 0;
	hz = strtol(text, &end, 10);
	if (errno || end == text || *end)
		die_err("-F %s: give samples a second as a number, as in -F 1000",
			text);
	return (struct option_rate){ hz, true };
}

/* The words of a choice as text */
static char *list(const char *const *words)
{
	char *text = profil_copy_string("");

	for (size_t length = 0; *words; words++) {
		text = profil_grow(text, length + strlen(*words) + 3, 1);
		length += sprintf(text + length, "%s%s", length ? ", " : "",
				  *words);
	}
	return text;
}

/* Exit because of the value optarg of the option @name. */
static void refuse_value(const struct option_row *row, const char *name)
{
	switch (row->kind) {
	case OPTION_NUMBER:
		die_err("%s %s: give a whole number from %ld to %ld", name,
			optarg, row->least, row->most);
	case OPTION_NUMBERS:
		die_err("%s %s: give whole numbers from %ld to %ld, with commas between",
			name, optarg, row->least, row->most);
	case OPTION_PERCENT:
		die_err("%s %s: give a percentage from 0 to 100", name, optarg);
	case OPTION_SECONDS:
		die_err("%s %s: give seconds, or a number with its unit, as in 500ms, 10s, 2m or 1h",
			name, optarg);
	case OPTION_CHOICES:
		die_err("%s %s: give words of this list, each once, with commas between: %s",
			name, optarg, list(row->choices));
	default:
		die_err("%s %s: give a word of this list: %s", name, optarg,
			list(row->choices));
	}
}

static regex_t *regex_of(const char *name)
{
	regex_t *regex = profil_grow(NULL, 1, sizeof(*regex));
	char reason[128];
	int wrong = regcomp(regex, optarg, REG_EXTENDED | REG_NOSUB);

	if (!wrong)
		return regex;
	regerror(wrong, regex, reason, sizeof(reason));
	free(regex);
	die_err("%s %s: not an extended regular expression of regex(7): %s",
		name, optarg, reason);
}

void profil_option_list_add(struct option_list *list, char *item)
{
	list->items =
		profil_grow(list->items, list->nr + 2, sizeof(*list->items));
	list->items[list->nr++] = item;
	list->items[list->nr] = NULL;
}

/* Act on one option; optarg is its value, and @name its name as given. */
static void apply(const struct verb *verb, const struct option_row *row,
		  const char *name, void *request)
{
	void *member = (char *)request + row->offset;

	if (row->value && !*optarg)
		die_err("%s: %s needs a value; see profil %s --help",
			verb->name, name, verb->name);
	switch (row->kind) {
	case OPTION_REFUSED:
		die_err("%s: %s: %s", verb->name, name, row->text);
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
		profil_option_list_add(member, optarg);
		break;
	case OPTION_RATE:
		*(struct option_rate *)member = rate_of(optarg);
		break;
	case OPTION_REGEX:
		*(regex_t **)member = regex_of(name);
		break;
	default:
		if (!profil_value_store(row, optarg, member))
			refuse_value(row, name);
	}
}

/* An operand is a name, and the operands of a command are its own. */
static void refuse_empty(const struct verb *verb, char **operands)
{
	for (; *operands && !verb->operands_end_options; operands++)
		if (!**operands)
			die_err("%s: an operand is empty; see profil %s --help",
				verb->name, verb->name);
}

void profil_option_parse(const struct verb *verb, int argc, char **argv,
			 void *request)
{
	struct parser parser;
	int option;

	make_parser(&parser, verb);
	while ((option = getopt_long(argc, argv, parser.letters, parser.words,
				     NULL)) != -1) {
		const struct option_row *row = row_of(verb, option);
		char name[64];

		if (option == ':' || option == '?')
			refuse(verb, option, argv);
		if (option < FIRST_WORD)
			snprintf(name, sizeof(name), "-%c", option);
		else
			snprintf(name, sizeof(name), "--%s", row->word);
		apply(verb, row, name, request);
	}
	refuse_empty(verb, argv + optind);
}
