/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats into which a profile is exported, and what they have in common */
#ifndef PROFIL_EXPORT_FORMAT_H
#define PROFIL_EXPORT_FORMAT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "util/index_map.h"

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

/*
 * The formats, by the values of -f; the first is the usual one.
 *
 *	pprof		profile.proto, compressed by gzip
 *	perf		perf.data of perf(1)
 *	callgrind	callgrind.out of Valgrind
 *	gmon		gmon.out of one program or library, in GNU's format
 *	llvm		sample profile as text, for clang -fprofile-sample-use
 *	gcc		profile of AutoFDO for gcc -fauto-profile
 *	bolt		samples by symbol and offset, as text, for llvm-bolt -nl
 *	folded		stacks: PROGRAM;OBJECT;FUNCTION[;INLINED]... SAMPLES
 */
#define EXPORT_FORMATS(format)                                                 \
	format(pprof) format(perf) format(callgrind) format(gmon) format(llvm) \
		format(gcc) format(bolt) format(folded)

#define EXPORT_DECLARE(name) \
	extern const struct export_format profil_format_##name;
EXPORT_FORMATS(EXPORT_DECLARE)

/* Write the format pprof. */
void profil_export_pprof(const struct profile *profile, FILE *out);

/**
 * struct main_object - the object of a format for one object
 * @object: its index
 * @samples: its samples
 */
struct main_object {
	uint32_t object;
	uint64_t samples;
};

/*
 * Find the only file with samples, or else the only program with samples; the reason
 * if there is not one
 */
const char *profil_export_object(const struct profile *profile,
				 struct main_object *one);

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

/*
 * Maps: ranges of memory for the code of a profile
 *
 * A profile has offsets in files. Formats with addresses in memory need a map
 * of each file, at an address that is made up here: a file that is loaded at any
 * address gets a range of its own.
 */

/**
 * struct export_map - a range of memory
 * @object: index of its object
 * @start: lowest address, at a boundary of pages
 * @size: bytes, in pages
 * @offset: offset in the file; 0 in other objects
 */
struct export_map {
	uint32_t object;
	uint64_t start;
	uint64_t size;
	uint64_t offset;
};

/**
 * struct export_maps - ranges of all places
 * @maps: @nr elements, in the order of the objects
 * @nr: number of maps
 * @of_place: index of the map of each place
 */
struct export_maps {
	struct export_map *maps;
	uint32_t nr;
	uint32_t *of_place;
};

/* Make the maps of the places, which are sorted. */
void profil_export_maps_make(struct export_maps *maps,
			     const struct profile *profile);
void profil_export_maps_free(struct export_maps *maps);

/* Address in memory of the place with index @place */
uint64_t profil_export_maps_address(const struct export_maps *maps,
				    const struct profile *profile,
				    uint32_t place);

/**
 * struct source - samples in user mode that have a function and a line
 * @profile: the profile
 * @is_llvm: discriminators are as encoded by LLVM; otherwise all code of a line
 *	counts as one
 * @names: names of the functions of the profile
 * @places: indices of the places with such samples, sorted
 * @nr: elements of @places
 * @samples: samples of @places
 * @sums: samples of all lines that begin before each of @places, and of all lines
 *
 * Time in the kernel says nothing about how often a line is executed.
 */
struct source {
	const struct profile *profile;
	bool is_llvm;
	char **names;
	uint32_t *places;
	uint32_t nr;
	uint64_t samples;
	uint64_t *sums;
};

/**
 * struct source_position - position in a function
 * @line: line from that of the declaration on, modulo 65536
 * @discriminator: number of a block of the line, or 0
 */
struct source_position {
	uint32_t line;
	uint32_t discriminator;
};

/**
 * struct source_range - places of a function, an inlined call, or a line
 * @depth: frames around it
 * @begin: index of the first in the sorted places
 * @end: index after the last
 */
struct source_range {
	uint32_t depth;
	uint32_t begin;
	uint32_t end;
};

void profil_source_begin(struct source *source, const struct profile *profile,
			 bool is_llvm);
void profil_source_end(struct source *source);

/*
 * Begin with the lines and calls of @parent, which is a function or a call; without
 * a parent, NULL, with the functions.
 */
struct source_range profil_source_inside(const struct source_range *parent);

/* Go to the next one, and false after the last; lines are before calls. */
bool profil_source_next(const struct source *source,
			const struct source_range *parent,
			struct source_range *range);

bool profil_source_is_line(const struct source *source,
			   const struct source_range *range);

/* Name of a function or call, by which compilers look up its samples */
const char *profil_source_name(const struct source *source,
			       const struct source_range *range);

/* Position of a line or call in the function around it */
struct source_position profil_source_position(const struct source *source,
					      const struct source_range *range);

/* Samples of a function, a call or a line */
uint64_t profil_source_total(const struct source *source,
			     const struct source_range *range);

/* Samples of the first instruction of a function, which is entered there */
uint64_t profil_source_head(const struct source *source,
			    const struct source_range *range);

#endif
