// SPDX-License-Identifier: GPL-2.0-only
/* Where a profile is printed to */
#include <err.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "output.h"
#include "status.h"

FILE *profil_output_open(const char *path, FILE *usual)
{
	FILE *out = path ? fopen(path, "we") : usual;

	if (!out)
		err(EXIT_PROFIL, "cannot write to %s", path);
	return out;
}

static const char *name_of(FILE *out, const char *path)
{
	if (path)
		return path;
	return out == stderr ? "stderr" : "stdout";
}

void profil_output_close(FILE *out, const char *path)
{
	const char *name = name_of(out, path);
	bool failed = ferror(out) || fflush(out);

	if ((path && fclose(out)) || failed)
		errx(EXIT_PROFIL, "cannot write all of the profile to %s: %s",
		     name, strerror(errno));
}
