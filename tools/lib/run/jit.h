/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Texts for code in anonymous memory, which a JIT compiler writes
 *
 * A compiler often reserves a range of memory and makes pages of it executable one
 * by one, or by turns. A text therefore extends beyond the executable mapping,
 * over the anonymous memory that adjoins it, and later pages need no other text.
 * Texts do not overlap, and stay for the life of the process, unless a file is
 * mapped where a text begins.
 */
#ifndef PROFIL_LIB_JIT_H
#define PROFIL_LIB_JIT_H

#include <stdbool.h>
#include <stdint.h>

#include "run/proc_maps.h"

/* Texts of a process; code beyond them counts as outside. */
#define JIT_TEXTS 64

/* Bytes of adjoining memory, before and after, that a text extends over */
#define JIT_REACH 0x8000000ULL

/* Executable mappings in adjoining memory that get a text in one scan */
#define JIT_CODES 64

/* Memory from @start up to @end */
struct jit_range {
	uint64_t start;
	uint64_t end;
};

/**
 * struct jit_text - a text and its counters
 * @range: the code; empty if a file has taken its place
 * @counters: address of the counters, or 0 if there was no room for them
 */
struct jit_text {
	struct jit_range range;
	uint64_t counters;
};

/**
 * struct jit - the texts of a process
 * @nr: elements of @texts; an element is valid before it is counted
 * @texts: the texts
 */
struct jit {
	uint32_t nr;
	struct jit_text texts[JIT_TEXTS];
};

/**
 * struct jit_scan - a scan of the mappings of this process for new texts
 * @jit: texts there are, and new ones
 * @counters: maps counters of a new text: their address, or 0
 * @data: argument for @counters
 * @memory: adjoining anonymous mappings that have been seen last
 * @missed: code that is in no text, since there are JIT_TEXTS of them
 * @nr: elements of @codes
 * @codes: executable mappings in @memory
 */
struct jit_scan {
	struct jit *jit;
	uint64_t (*counters)(const struct jit_range *range, void *data);
	void *data;
	struct jit_range memory;
	uint32_t missed;
	uint32_t nr;
	struct jit_range codes[JIT_CODES];
};

/*
 * Whether all of @range is in texts, or there is no room for another text. Any
 * context, also while another thread adds texts.
 */
bool profil_jit_covers(const struct jit *jit, struct jit_range range);

/* Take an anonymous mapping; mappings come in ascending order. */
void profil_jit_take(struct jit_scan *scan, const struct map *map);

/*
 * Take the mapping of a file, in the order of all mappings. The region of a text
 * that begins in it would count samples of the file, since the region with the
 * largest offset takes a sample: the text ends.
 */
void profil_jit_take_file(struct jit_scan *scan, struct jit_range file);

/* Take what is left after the last mapping. */
void profil_jit_end(struct jit_scan *scan);

#endif
