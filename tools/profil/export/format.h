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
 * @EXPORT_NO_LINES: no sample in user mode has a source line
 * @EXPORT_NO_SYMBOLS: no sample in user mode has a symbol
 * @EXPORT_NO_ADDRESS: an address is not one of a program
 * @EXPORT_MANY_SAMPLES: the file would be too large, or a counter overflow
 */
enum export_error {
	EXPORT_OK,
	EXPORT_NO_CODE,
	EXPORT_MANY_OBJECTS,
	EXPORT_NO_LINES,
	EXPORT_NO_SYMBOLS,
	EXPORT_NO_ADDRESS,
	EXPORT_MANY_SAMPLES,
};

/* The formats; the first is the usual one. */
enum export_kind {
	EXPORT_PPROF,
	EXPORT_PERF,
	EXPORT_CALLGRIND,
	EXPORT_GMON,
	EXPORT_LLVM,
	EXPORT_GCC,
	EXPORT_BOLT,
	EXPORT_FOLDED,
	EXPORT_KINDS,
};

/**
 * struct export_format - a format
 * @file: usual name of the file
 * @next: command that reads the file, up to its name; an option ends with =
 * @check: error of @write if that is known before writing; or NULL
 * @write: writes a profile that has samples; a write error is that of the stream
 * @samples: samples that are written, or NULL if all are
 */
struct export_format {
	const char *file;
	const char *next;
	enum export_error (*check)(const struct profile *profile);
	enum export_error (*write)(const struct profile *profile, FILE *out);
	uint64_t (*samples)(const struct profile *profile);
};

/* The formats by enum export_kind */
extern const struct export_format profil_export_formats[];

/* Their names, which are the values of -f, ended by NULL */
extern const char *const profil_export_names[];

/* Error of a format for one object, by the number of candidates */
static inline enum export_error export_error_of(uint32_t candidates)
{
	if (!candidates)
		return EXPORT_NO_CODE;
	return candidates == 1 ? EXPORT_OK : EXPORT_MANY_OBJECTS;
}

/*
 * Functions of the formats, as in struct export_format: files of
 *
 *	pprof		profile.proto, compressed by gzip
 *	perf_data	perf.data of perf(1)
 *	callgrind	callgrind.out of Valgrind
 *	gmon		gmon.out of one program or library, in GNU's format
 *	llvm		sample profile as text, for clang -fprofile-sample-use
 *	gcc		profile of AutoFDO for gcc -fauto-profile
 *	bolt		samples by symbol and offset, as text, for llvm-bolt -nl
 *	folded		stacks: PROGRAM;OBJECT;FUNCTION[;INLINED]... SAMPLES
 */
enum export_error profil_export_pprof(const struct profile *profile, FILE *out);
enum export_error profil_export_perf_data_check(const struct profile *profile);
enum export_error profil_export_perf_data(const struct profile *profile,
					  FILE *out);
enum export_error profil_export_callgrind(const struct profile *profile,
					  FILE *out);
enum export_error profil_export_gmon_check(const struct profile *profile);
enum export_error profil_export_gmon(const struct profile *profile, FILE *out);
uint64_t profil_export_gmon_samples(const struct profile *profile);
enum export_error profil_export_llvm_check(const struct profile *profile);
enum export_error profil_export_llvm(const struct profile *profile, FILE *out);
uint64_t profil_export_llvm_samples(const struct profile *profile);
enum export_error profil_export_gcc_check(const struct profile *profile);
enum export_error profil_export_gcc(const struct profile *profile, FILE *out);
uint64_t profil_export_gcc_samples(const struct profile *profile);
enum export_error profil_export_bolt_check(const struct profile *profile);
enum export_error profil_export_bolt(const struct profile *profile, FILE *out);
uint64_t profil_export_bolt_samples(const struct profile *profile);
enum export_error profil_export_folded(const struct profile *profile,
				       FILE *out);

/* Part of a sentence that follows the name of the format */
const char *profil_export_error_text(enum export_error error);

#endif
