// SPDX-License-Identifier: GPL-2.0-only
/* Side: from an operand to names of files */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diff/side.h"
#include "util/exit_status.h"
#include "util/memory.h"

void profil_side_parse(struct side *side, const char *operand)
{
	size_t room = strlen(operand) + 2, nr = 0;
	char *rest = profil_copy_string(operand);

	side->text = rest;
	side->files = profil_grow(NULL, room, sizeof(*side->files));
	if (!access(operand, F_OK)) {
		side->files[nr++] = rest;
		rest = NULL;
	}
	while (rest) {
		char *name = strsep(&rest, ",");

		if (!*name)
			errx(EXIT_PROFIL,
			     "diff: there is no name beside a comma of \"%s\"",
			     operand);
		side->files[nr++] = name;
	}
	side->files[nr] = NULL;
}

void profil_side_free(struct side *side)
{
	free(side->files);
	free(side->text);
}
