/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats into which a profile is exported */
#ifndef PROFIL_EXPORT_FORMAT_H
#define PROFIL_EXPORT_FORMAT_H

#include <stdio.h>

#include "profile/profile.h"

/**
 * enum export_error - reasons why a format cannot contain a profile
 * @EXPORT_OK: none
 * @EXPORT_NO_CODE: no sample is in code of a file
 * @EXPORT_MANY_OBJECTS: the format is for one object, and there are several
 */
enum export_error {
	EXPORT_OK,
	EXPORT_NO_CODE,
	EXPORT_MANY_OBJECTS,
};

/**
 * struct export_format - a format
 * @name: value of -f
 * @file: usual name of the file
 * @next: command that reads the file, up to its name
 * @write: writes a profile that has samples; a write error is that of the stream
 */
struct export_format {
	const char *name;
	const char *file;
	const char *next;
	enum export_error (*write)(const struct profile *profile, FILE *out);
};

/* All formats, ended by one without a name; the first is the usual one. */
extern const struct export_format profil_export_formats[];

/* Format of that name, or NULL */
const struct export_format *profil_export_find(const char *name);

/* Part of a sentence that follows the name of the format */
const char *profil_export_error_text(enum export_error error);

#endif
