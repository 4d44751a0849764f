/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mappings, functions and locations of a profile, as pprof and OTLP have them
 *
 * Each kind is numbered from 1 in the order of the file, without gaps: Parca takes no
 * other profile. No two functions are equal. The source file is in the function, so code
 * of a function in several files, as by #include or a macro, is a function for each file.
 */
#ifndef PROFIL_DICTIONARY_H
#define PROFIL_DICTIONARY_H

#include "export/maps.h"

/* A function; its names and file are numbers of strings. */
struct dictionary_function {
	uint64_t name;
	uint64_t symbol;
	uint64_t file;
	uint64_t line;
};

/* A line of a location, with the number of its function */
struct dictionary_line {
	uint64_t function;
	uint32_t line;
	uint32_t column;
};

/* Code at an address: the lines of inlined functions come before those around them. */
struct dictionary_location {
	uint64_t mapping;
	uint64_t address;
	const struct dictionary_line *lines;
	uint32_t nr_lines;
};

/* What writes the elements of a format when they get their numbers */
struct dictionary;
struct dictionary_writer {
	void (*mapping)(struct dictionary *dictionary,
			const struct export_map *map);
	void (*function)(struct dictionary *dictionary,
			 const struct dictionary_function *function);
	void (*location)(struct dictionary *dictionary,
			 const struct dictionary_location *location);
};

/**
 * struct dictionary - elements so far
 * @profile: the profile
 * @leaves: its samples
 * @writer: of the format
 * @out: what @writer adds to
 * @maps: memory of the places
 * @map_ids: number of the mapping of each map
 * @location_ids: number of the location of each place, or 0
 * @mappings: mappings so far
 * @functions: functions so far
 * @by_content: their numbers
 * @by_file: numbers of the profile's functions, by index and source file
 * @locations: locations so far
 * @strings: strings that elements refer to
 */
struct dictionary {
	const struct profile *profile;
	struct leaves leaves;
	const struct dictionary_writer *writer;
	void *out;
	struct export_maps maps;
	uint64_t *map_ids;
	uint64_t *location_ids;
	uint64_t mappings;
	uint64_t functions;
	struct index_map by_content;
	struct index_map by_file;
	uint64_t locations;
	struct profile_strings *strings;
};

void profil_dictionary_begin(struct dictionary *dictionary,
			     const struct profile *profile,
			     const struct dictionary_writer *writer, void *out);

/* Write all elements. */
void profil_dictionary_write(struct dictionary *dictionary);
void profil_dictionary_end(struct dictionary *dictionary);

/* Number of @text in UTF-8 among the strings */
uint64_t profil_dictionary_utf8(struct dictionary *dictionary,
				const char *text);

/* Number of a new location without an address, in a function @name */
uint64_t profil_dictionary_name(struct dictionary *dictionary,
				const char *name);

/*
 * Numbers of the locations of @leaf, from that of the samples to the outermost caller,
 * and how many there are, in an array to be freed
 */
uint64_t *profil_dictionary_stack(const struct dictionary *dictionary,
				  const struct profile_stack *leaf,
				  uint32_t *nr);

/* Address after @map, or the last address */
uint64_t profil_dictionary_limit(const struct export_map *map);

#endif
