/* SPDX-License-Identifier: GPL-2.0-only */
/* From the data of gprof(1) or prof(1) to a profile */
#ifndef PROFIL_IMPORT_H
#define PROFIL_IMPORT_H

#include "elf/symbols.h"
#include "read/gprof.h"

struct import_range;

/*
 * Program that wrote the data, while they are imported
 * @how: how the user names the program, such as "with -e"
 * @lines: each bin is a place, with its source line; otherwise each function is
 * @ranges: what is known of the range behind each boundary
 * @strays: arcs to code that calls no mcount()
 */
struct import {
	struct profile *profile;
	const char *path;
	const char *how;
	bool lines;
	struct symbols *symbols;
	const struct boundaries *boundaries;
	struct import_range *ranges;
	uint32_t object;
	uint32_t program;
	uint32_t strays;
};

/*
 * Open the program @import->path, and add it to @import->profile, which is empty.
 * The other members before @symbols are set. Exits if the file is not a program or
 * library with addresses of @word bytes.
 */
void profil_import_begin(struct import *import, unsigned int word);

/*
 * Add the samples of bin @bin, more than 0, or calls. Samples of a bin over several
 * functions are divided by the length of its part in each, in SAMPLE_PARTS of a
 * sample: the sum of all parts is exact. The functions are added to the profile. A
 * function that is called has a place, even without samples.
 */
void profil_import_bin(struct import *import, const struct histogram *histogram,
		       size_t bin, uint64_t samples);
void profil_import_arc(struct import *import, const struct gprof_arc *arc);

/*
 * Add what is known of all files, warn of samples and calls that are not in the
 * program, look up lines, and close the program.
 */
void profil_import_end(struct import *import, const struct gprof_data *data);

#endif
