/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Layout of a program in memory: the list of regions for START, one for each text,
 * with counters in the run's file
 *
 * There are two lists: the one of the session, and the next one. libprofil has the
 * layout of its own process, and `profil record -p` that of another.
 */
#ifndef PROFIL_LIB_LAYOUT_H
#define PROFIL_LIB_LAYOUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "include/run_layout.h"
#include "run/jit.h"

/* A segment whose counters, of @size bytes, this process has mapped */
struct layout_text {
	uint64_t key;
	uint64_t counters;
	uint64_t size;
};

/**
 * struct layout - layout of a program, and the regions for it
 * @run: head of the run's file
 * @fd: descriptor of the run's file while the mappings are read
 * @text_bytes: bytes of text for each counter
 * @pid: process whose mappings are read, for the process that has the layout
 * @root: path of the process's root directory, or "" for files of this process
 * @outer: path of that directory in the mappings, or ""
 * @program: path of the program
 * @outside: address of the counters for code in no file, or 0
 * @nr_texts: elements of @texts
 * @texts: texts whose counters are mapped; they stay so, but for mlockall()
 * @nr_regions: elements of the lists of @regions
 * @current: which of @regions the session runs with
 * @regions: the session's list and the next one
 * @jit: texts of code in anonymous memory, those of parents included
 * @dropped: texts without counters at the last look, or more at an earlier one
 * @path: buffer for the path of a file
 * @buffer: buffer for the mappings
 */
struct layout {
	struct run *run;
	int fd;
	uint32_t text_bytes;
	uint32_t pid;
	char root[32];
	char outer[PATH_MAX];
	char program[4096];
	uint64_t outside;
	uint32_t nr_texts;
	struct layout_text texts[PROFIL_MAX_REGIONS];
	uint32_t nr_regions[2];
	int current;
	struct profil_region regions[2][PROFIL_MAX_REGIONS];
	struct jit jit;
	uint32_t dropped;
	char path[RUN_PATH];
	char buffer[32768];
};

/* A new layout for @run, without a program; NULL, with errno, for lack of memory */
struct layout *profil_layout_new(struct run *run, int fd);

/*
 * Make the next list from @maps, a file as /proc/self/maps: 0 or -errno. *@news:
 * the list differs from that of the session.
 */
int profil_layout_read(struct layout *layout, const char *maps, bool *news);

/* Arguments of START for the next list */
void profil_layout_start(const struct layout *layout,
			 struct profil_start *start);

/* The session has the next list, with the period of @start. */
void profil_layout_started(struct layout *layout,
			   const struct profil_start *start);

/* Samples so far that were in no text; any thread */
uint64_t profil_layout_outside(const struct layout *layout);

/* Unmap all counters. The session has ended. */
void profil_layout_drop(struct layout *layout);

/* Map the counters of code in anonymous memory again. */
void profil_layout_renew(struct layout *layout);

#endif
