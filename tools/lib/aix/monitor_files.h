/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The profile of monitor(), and the writing of its files */
#ifndef PROFIL_LIB_MONITOR_FILES_H
#define PROFIL_LIB_MONITOR_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aix/ranges.h"
#include "gprof/mcount/output_path.h"

/**
 * struct monitor_profile - profile that monitor() or monstartup() has started
 * @type: _PROF_TYPE_IS_*
 * @ranges: profiled ranges
 * @calls: room for struct poutcnt
 * @nr_calls: number of struct poutcnt that fit in @calls
 * @paused: paused by moncontrol()
 * @output: path of gmon.out
 * @numbered: the name of gmon.out ends in the process ID
 * @memory: counters that monstartup() has mapped, or NULL
 * @size: bytes at @memory
 */
struct monitor_profile {
	int type;
	struct ranges ranges;
	char *calls;
	uint32_t nr_calls;
	bool paused;
	struct output_path output;
	bool numbered;
	void *memory;
	size_t size;
};

/*
 * Write the files: 0 or -errno. @path is that of the file that could not be
 * written, or empty if the error is of another kind.
 */
int profil_monitor_files_write(const struct monitor_profile *profile,
			       char path[OUTPUT_PATH_MAX]);

#endif
