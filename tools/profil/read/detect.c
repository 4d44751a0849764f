// SPDX-License-Identifier: GPL-2.0-only
/* Which format a file is in */
#include <elf.h>
#include <string.h>

#include "read/detect.h"
#include "read/read_gmon.h"
#include "read/read_mon.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

static const char no_bytes[] =
	"is empty: the program has not ended, or has not written it";
static const char is_program[] =
	"is a program or library: name the profile that it has written as well";
static const char is_neither[] = "is neither a gmon.out nor a mon.out";

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
	bool (*is)(struct datafile *file);
	bool (*read)(struct datafile *file, struct counts *counts);
};

static const struct format formats[] = {
	{ "gmon.out", "is a broken gmon.out", profil_gmonread_is_gnu,
	  profil_gmonread_gnu },
	{ "gmon.out", "is a broken gmon.out", profil_gmonread_is_bsd,
	  profil_gmonread_bsd },
	{ "mon.out", "is a broken mon.out", NULL, profil_monread },
};

static const struct format *format_of(struct datafile *file)
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
	char usual[sizeof(file->wrong)];
	bool sure;

	if (attempt(format, file, 8, counts))
		return true;
	memcpy(usual, file->wrong, sizeof(usual));
	sure = file->sure;
	if (attempt(format, file, 4, counts))
		return true;
	if (!file->sure) {
		memcpy(file->wrong, usual, sizeof(usual));
		file->sure = sure;
	}
	return false;
}

/*
 * A file of which nothing is known is no mon.out, which has no mark: how it
 * fails to be one says nothing.
 */
static bool refuse(const struct format *format, struct datafile *file)
{
	char why[sizeof(file->wrong)];

	if (!file->size)
		return profil_refuse(file, no_bytes);
	if (profil_formats_is_elf(file))
		return profil_refuse(file, is_program);
	if (!format->is && !file->sure)
		return profil_refuse(file, is_neither);
	memcpy(why, file->wrong, sizeof(why));
	return profil_refuse(file, "%s: %s", format->broken, why);
}

bool profil_formats_is_elf(struct datafile *file)
{
	const unsigned char *mark = profil_datafile_peek(file, 0, SELFMAG);

	return mark && !memcmp(mark, ELFMAG, SELFMAG);
}

bool profil_formats_read(struct datafile *file, struct counts *counts)
{
	const struct format *format = format_of(file);
	struct counts more;
	const char *wrong;

	if (!read_alone(format, file, &more))
		return refuse(format, file);
	wrong = profil_counts_add(counts, &more);
	profil_counts_free(&more);
	return !wrong || profil_refuse(file, "cannot be added up: %s", wrong);
}
