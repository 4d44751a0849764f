// SPDX-License-Identifier: GPL-2.0-only
/* Why functions have no names */
#include <stdlib.h>
#include <string.h>

#include "print/hints.h"
#include "print/package.h"
#include "util/text.h"

/* A file is worth a line if so many percent of all samples lack a name. */
#define SHARE 2

/* Asking for a package takes a moment: no more than so many are asked for. */
#define MOST_PACKAGES 3

static void say_nameless(FILE *out, const struct name_source *source,
			 const char *name, int *asked)
{
	const char *path = source->object->path;
	char package[128];

	if (!strcmp(path, "[vdso]"))
		return;
	fprintf(out, "%s has %s symbols", name,
		source->named ? "only some" : "no");
	if (++*asked <= MOST_PACKAGES &&
	    profil_package_of_symbols(path, package, sizeof(package)))
		fprintf(out, ": apt install %s", package);
	fputc('\n', out);
}

static void say(FILE *out, const struct name_source *source, int *asked)
{
	const char *path = source->object->path;
	char *name = profil_text_printable(profil_text_base(path));

	if (source->state == SYMBOLS_REPLACED)
		fprintf(out,
			"%s has been replaced since it was run: its functions are not known, and places have their offset in the file\n",
			name);
	else if (source->state == SYMBOLS_UNREADABLE)
		fprintf(out,
			"%s cannot be read any more: its functions are not known, and places have their offset in the file\n",
			name);
	else
		say_nameless(out, source, name, asked);
	free(name);
}

void profil_hints_print(FILE *out, const struct rows *rows, uint64_t total)
{
	int asked = 0, skipped = 0;

	for (size_t i = 0; i < rows->nr_sources; i++) {
		const struct name_source *source = &rows->sources[i];

		if (source->skipped)
			skipped++;
		else if (source->state != SYMBOLS_READ ||
			 source->nameless * 100 > total * SHARE)
			say(out, source, &asked);
	}
	if (skipped)
		fprintf(out,
			"interrupted: the names of %d file%s were not looked up\n",
			skipped, skipped == 1 ? "" : "s");
}
