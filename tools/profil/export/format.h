/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats into which a profile is exported, and what they have in common */
#ifndef PROFIL_EXPORT_FORMAT_H
#define PROFIL_EXPORT_FORMAT_H

#include "profile/profile.h"

/**
 * struct export_format - a format
 * @file: usual name of the file
 * @next: command that reads the file, up to its name
 * @check: the reason why the format cannot contain a profile that has samples, or
 *	NULL, and the number of samples that are written; without it, all of any
 *	profile are
 * @write: writes a profile that @check accepts; a write error is that of the stream
 */
struct export_format {
	const char *file;
	const char *next;
	const char *(*check)(const struct profile *profile, uint64_t *samples);
	void (*write)(const struct profile *profile, FILE *out);
};

/* The formats, by the values of -f; the first is the usual one. */
#define EXPORT_FORMATS(format)                                                 \
	format(pprof) format(perf) format(callgrind) format(gmon) format(llvm) \
		format(gcc) format(bolt) format(folded) format(otlp)

#define EXPORT_DECLARE(name) \
	extern const struct export_format profil_format_##name;
EXPORT_FORMATS(EXPORT_DECLARE)

/*
 * Find the only file with samples, or else the only program with samples, for a format
 * of one @object, and its @samples; the reason if there is not one
 */
const char *profil_export_object(const struct profile *profile,
				 uint32_t *object, uint64_t *samples);

/* The reason why a counter would overflow, or the file be too large */
extern const char *const profil_export_many_samples;

#define EXPORT_OUTSIDE "[outside]"
#define EXPORT_LOST "[lost]"

/* Path of the object in UTF-8; EXPORT_OUTSIDE or [jit: PROGRAM] without a file */
char *profil_export_object_name(const struct profile *profile, uint32_t object);

/* Name of a function, which an object without symbols has not: FILE+0xADDRESS */
char *profil_export_function_name(const struct profile *profile,
				  uint32_t function);

/* Name of the function around @place; that of its object without a function */
char *profil_export_place_name(const struct profile *profile,
			       const struct profile_place *place);

#endif
