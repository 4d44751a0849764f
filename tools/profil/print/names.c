// SPDX-License-Identifier: GPL-2.0-only
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "print/print.h"
#include "util/text.h"

/* A longer name moves the columns behind it. */
#define MAX_WIDTH 24
#define MAX_LAST_WIDTH 44

/* Least width of the last name on a terminal, however narrow that is */
#define MIN_LAST_WIDTH 16

struct name_columns profil_names_begin(const struct rows *rows, size_t before,
				       size_t line)
{
	struct name_columns columns = {
		.nr = rows->nr_names,
		.before = before,
		.line = line,
	};

	for (int i = 0; i < columns.nr; i++)
		columns.widths[i] = strlen(rows->heads[i]);
	return columns;
}

void profil_names_widen(struct name_columns *columns, char *const *names)
{
	for (int i = 0; i < columns->nr; i++) {
		bool is_last = i == columns->nr - 1;
		size_t most = is_last ? MAX_LAST_WIDTH : MAX_WIDTH;
		size_t length = profil_text_width(names[i]);

		if (length > columns->widths[i] && length <= most)
			columns->widths[i] = length;
	}
}

static size_t least(size_t one, size_t other)
{
	return one < other ? one : other;
}

/* Characters for the last name if the others take @used ones with those before */
static size_t room_of(const struct name_columns *columns, size_t used)
{
	if (!columns->line)
		return SIZE_MAX;
	return columns->line < used + MIN_LAST_WIDTH ? MIN_LAST_WIDTH :
						       columns->line - used;
}

/* The width of a field of printf() is in bytes. */
static int field(const char *text, size_t width)
{
	return (int)(width + strlen(text) - profil_text_width(text));
}

void profil_names_print(FILE *out, const struct name_columns *columns,
			char *const *names, size_t after)
{
	size_t used = columns->before + 2 + after, padded = used;
	int last = columns->nr - 1;
	char *name;

	for (int i = 0; i < last; i++) {
		size_t wanted = columns->widths[i];
		size_t length = profil_text_width(names[i]);

		fprintf(out, "  %-*s", field(names[i], wanted), names[i]);
		used += 2 + (length > wanted ? length : wanted);
		padded += 2 + wanted;
	}
	name = profil_text_cut(names[last], room_of(columns, used));
	padded = least(columns->widths[last], room_of(columns, padded));
	fprintf(out, "  %-*s", after ? field(name, padded) : 0, name);
	free(name);
}
