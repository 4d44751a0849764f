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

static void say_nameless(FILE *out, const struct origin *origin,
			 const char *name, int *asked)
{
	const char *path = origin->object->path;
	char package[128];

	if (!strcmp(path, "[vdso]"))
		return;
	fprintf(out, "%s has %s symbols", name,
		origin->named ? "only some" : "no");
	if (++*asked <= MOST_PACKAGES &&
	    profil_package_of_symbols(path, package, sizeof(package)))
		fprintf(out, ": apt install %s", package);
	fputc('\n', out);
}

static void say(FILE *out, const struct origin *origin, int *asked)
{
	const char *path = origin->object->path;
	char *name = profil_text_printable(profil_text_base(path));

	if (origin->state == SYMBOLS_REPLACED)
		fprintf(out,
			"%s has been replaced since it was run: its functions are not known, and places have their offset in the file\n",
			name);
	else if (origin->state == SYMBOLS_UNREADABLE)
		fprintf(out,
			"%s cannot be read any more: its functions are not known, and places have their offset in the file\n",
			name);
	else
		say_nameless(out, origin, name, asked);
	free(name);
}

void profil_hints(FILE *out, const struct lines *lines, uint64_t total)
{
	int asked = 0, skipped = 0;

	for (size_t i = 0; i < lines->nr_origins; i++) {
		const struct origin *origin = &lines->origins[i];

		if (origin->skipped)
			skipped++;
		else if (origin->state != SYMBOLS_READ ||
			 origin->nameless * 100 > total * SHARE)
			say(out, origin, &asked);
	}
	if (skipped)
		fprintf(out,
			"interrupted: the names of %d file%s were not looked up\n",
			skipped, skipped == 1 ? "" : "s");
}
