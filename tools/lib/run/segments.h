/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_SEGMENTS_H
#define PROFIL_LIB_SEGMENTS_H

#include "include/run_layout.h"
#include "run/proc_maps.h"

/* The head of the run's file behind @fd, or NULL if that is no such file */
struct run *profil_segments_open(int fd);

/**
 * struct segment - a text that this process wants counters for
 * @map: where it is mapped; for RUN_TEXT_OUTSIDE, @end is the bytes of counters
 *	and @path the program
 * @kind: RUN_TEXT_*
 * @identity: the file, without its build ID
 */
struct segment {
	const struct map *map;
	uint32_t kind;
	struct run_identity identity;
};

/* The name under which @text is known in the run's file */
uint64_t profil_segments_key(const struct segment *text);

/* Map the counters of @text, entering it if need be; NULL: no room */
void *profil_segments_map(struct run *run, int fd, const struct segment *text,
			  uint64_t key);

/* Note in the record of the counters of an RUN_TEXT_OUTSIDE that it has a JIT. */
void profil_segments_note_jit(void *counters);

#endif
