// SPDX-License-Identifier: GPL-2.0-only
/* Name of a function for a narrow column */
#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/short_name.h"
#include "util/memory.h"
#include "util/output.h"
#include "util/text.h"

static const char operator_word[] = "operator";

/* Bytes at @name of an operator whose signs are no brackets */
static size_t operator_length(const char *name)
{
	size_t length = strlen(operator_word);

	if (strncmp(name, operator_word, length))
		return 0;
	return length + strspn(name + length, "<>-=!");
}

/* Bytes at @name from < to the matching >; all of it if there is none */
static size_t brackets_length(const char *name)
{
	size_t length = 0, depth = 0;

	do {
		depth += name[length] == '<';
		depth -= name[length] == '>';
		length++;
	} while (name[length] && depth);
	return length;
}

/* Copy @name without the arguments of templates, which may be long. */
static char *without_arguments(const char *name)
{
	const char *dots = profil_output_sign("<…>", "<...>");
	char *copy = profil_grow(NULL, strlen(name) + 1, strlen(dots));
	char *to = copy;

	while (*name) {
		size_t length = operator_length(name);

		if (!length && *name == '<' && to > copy) {
			to = stpcpy(to, dots);
			name += brackets_length(name);
			continue;
		}
		if (!length)
			length = 1;
		to = mempcpy(to, name, length);
		name += length;
	}
	*to = '\0';
	return copy;
}

char *profil_short_name(const struct profile *profile, uint32_t index,
			size_t width)
{
	const struct profile_function *function = &profile->functions[index];
	char *name = cplus_demangle(function->symbol, DMGL_ANSI | DMGL_AUTO);
	char *printable, *copy, *shorter;

	printable = profil_text_printable(name ? name : function->name);
	free(name);
	copy = without_arguments(printable);
	free(printable);
	shorter = profil_text_cut(copy, width);
	free(copy);
	return shorter;
}
