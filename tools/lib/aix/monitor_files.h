/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What monitor() has on, and the files that it becomes */
#ifndef PROFIL_LIB_MONITOR_FILES_H
#define PROFIL_LIB_MONITOR_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aix/ranges.h"
#include "gprof/mcount/output_path.h"

/**
 * struct monitor_profile - what is on
 * @type: its _PROF_TYPE_IS_*
 * @ranges: where it counts
 * @calls: room for struct poutcnt
 * @nr_calls: how many
 * @paused: by moncontrol()
 * @output: of gmon.out
 * @numbered: whether its name gets the process's number in any case
 * @memory: counters of monstartup()'s, or NULL
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
