// SPDX-License-Identifier: GPL-2.0-only
/* Which format a file is in */
#include <string.h>

#include "formats.h"
#include "gmonread.h"
#include "monread.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/**
 * struct format - one of the formats
 * @kind: the kind of file
 * @broken: how a sentence begins about one that cannot be read
 * @is: whether a file is in the format; NULL for what is in no other one
 * @read: reads it, with addresses of one size
 */
struct format {
	const char *kind;
	const char *broken;
	bool (*is)(const struct datafile *file);
	bool (*read)(struct datafile *file, struct counts *counts);
};

static const struct format formats[] = {
	{ "gmon.out", "is a broken gmon.out", profil_gmonread_is_gnu,
	  profil_gmonread_gnu },
	{ "gmon.out", "is a broken gmon.out", profil_gmonread_is_bsd,
	  profil_gmonread_bsd },
	{ "mon.out", "is no gmon.out, and no good mon.out", NULL,
	  profil_monread },
};

static const struct format *format_of(const struct datafile *file)
{
	size_t last = ELEMENTS(formats) - 1;

	for (size_t i = 0; i < last; i++)
		if (formats[i].is(file))
			return &formats[i];
	return &formats[last];
}

static bool attempt(const struct format *format, struct datafile *file,
		    unsigned int word, struct counts *counts)
{
	file->at = 0;
	file->word = word;
	file->sure = false;
	*counts = (struct counts){ .kind = format->kind, .word = word };
	if (format->read(file, counts))
		return true;
	profil_counts_free(counts);
	return false;
}

/* What went wrong is told by the usual attempt, unless the other one was sure. */
static bool read_alone(const struct format *format, struct datafile *file,
		       struct counts *counts)
{
	struct datafile usual;

	if (attempt(format, file, 8, counts))
		return true;
	usual = *file;
	if (attempt(format, file, 4, counts))
		return true;
	if (!file->sure)
		*file = usual;
	return false;
}

bool profil_formats_read(struct datafile *file, struct counts *counts)
{
	const struct format *format = format_of(file);
	struct counts more;
	const char *wrong;
	char why[sizeof(file->wrong)];

	if (!read_alone(format, file, &more)) {
		memcpy(why, file->wrong, sizeof(why));
		return profil_refuse(file, "%s: %s", format->broken, why);
	}
	wrong = profil_counts_add(counts, &more);
	profil_counts_free(&more);
	return !wrong || profil_refuse(file, "cannot be added up: %s", wrong);
}
