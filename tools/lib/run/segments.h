/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_SEGMENTS_H
#define PROFIL_LIB_SEGMENTS_H

#include "include/run_layout.h"
#include "run/proc_maps.h"

/* Map the head of the run's file; NULL if @fd is not a run's file. */
struct run *profil_segments_open(int fd);

/**
 * struct segment - mapped text that needs counters
 * @map: the mapping; for RUN_TEXT_OUTSIDE, empty and with the program's path
 * @file: path of the mapped file for this process, for RUN_TEXT_FILE
 * @program: path of the program
 * @kind: RUN_TEXT_*
 * @text_bytes: bytes of text for each counter, 1 or 4
 * @pid: for RUN_TEXT_JIT, the process; else 0
 * @identity: identity of the file, without its build ID
 */
struct segment {
	const struct map *map;
	const char *file;
	const char *program;
	uint32_t kind;
	uint32_t text_bytes;
	uint32_t pid;
	struct run_identity identity;
};

/* Key of @text in the run's file */
uint64_t profil_segments_key(const struct segment *text);

/* Bytes of all counters of @text */
uint64_t profil_segments_size(const struct segment *text);

/* Map the counters of @text, after adding it if it is new; NULL: no room */
void *profil_segments_map(struct run *run, int fd, const struct segment *text,
			  uint64_t key);

/* Unmap the @counters of a text, of @size bytes. */
void profil_segments_unmap(void *counters, uint64_t size);

/* Note a JIT compiler in the record of an RUN_TEXT_OUTSIDE's counters. */
void profil_segments_note_jit(void *counters);

#endif
