// SPDX-License-Identifier: GPL-2.0-only
/* Summary of a verb and its options */
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"
#include "util/option.h"
#include "util/output.h"

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
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	if (!stream)
		return profil_copy_string(row->text);
	fputs(row->text, stream);
	for (; word && *word; word++)
		fprintf(stream, "%s%s", word == row->choices ? ": " : ", ",
			*word);
	if (row->preset)
		fprintf(stream, " (default: %s)", row->preset);
	fclose(stream);
	return text;
}

/* The first heading follows an empty line already. */
static void print_group(FILE *out, const char *group, bool is_first)
{
	if (group)
		fprintf(out, "%s%s:\n", is_first ? "" : "\n", group);
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
		print_group(out, row->group, row == verb->options);
		if (row->kind != OPTION_REFUSED)
			print_row(out, row);
	}
	if (verb->example)
		fprintf(out, "\n%s", verb->example);
	profil_output_close(out, NULL);
}
