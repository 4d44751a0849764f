// SPDX-License-Identifier: GPL-2.0-only
/* Reasons why functions have no names */
#include <stdlib.h>
#include <string.h>

#include "print/hints.h"
#include "resolve/package.h"
#include "util/text.h"

/* Percent of all samples: files with less in nameless functions have no line */
#define SHARE 2

/* Upper limit of packages that are looked up, since each takes a moment */
#define MAX_PACKAGES 3

static void print_nameless(FILE *out, const struct name_source *source,
			   const char *name, int *asked)
{
	const char *path = source->object->path;
	char package[128];

	if (!strcmp(path, "[vdso]"))
		return;
	fprintf(out, "%s has %s symbols", name,
		source->named ? "only some" : "no");
	if (++*asked <= MAX_PACKAGES &&
	    profil_package_of_symbols(path, package, sizeof(package)))
		fprintf(out, ": apt install %s", package);
	fputc('\n', out);
}

static void print_hint(FILE *out, const struct name_source *source, int *asked)
{
	const char *path = source->object->path;
	char *name = profil_text_printable(profil_text_base(path));

	if (source->status == SYMBOLS_REPLACED)
		fprintf(out,
			"%s was replaced after it was run: its functions have offsets in place of names\n",
			name);
	else if (source->status == SYMBOLS_UNREADABLE)
		fprintf(out,
			"%s can no longer be read: its functions have offsets in place of names\n",
			name);
	else
		print_nameless(out, source, name, asked);
	free(name);
}

void profil_hints_print(FILE *out, const struct recording_rows *rows)
{
	int asked = 0, skipped = 0;

	for (size_t i = 0; i < rows->nr_sources; i++) {
		const struct name_source *source = &rows->sources[i];

		if (source->skipped)
			skipped++;
		else if (source->status != SYMBOLS_READ ||
			 source->nameless * 100 > rows->rows.total * SHARE)
			print_hint(out, source, &asked);
	}
	if (skipped)
		fprintf(out,
			"interrupted: the names of %d file%s were not looked up\n",
			skipped, skipped == 1 ? "" : "s");
}
