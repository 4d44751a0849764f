/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A profile that is to become files, and the writing of them
 */
#ifndef PROFIL_LIB_GMON_WRITER_H
#define PROFIL_LIB_GMON_WRITER_H

#include <linux/profil.h>

#include "core/objects.h"
#include "gprof/mcount/gmon_format.h"
#include "gprof/mcount/output_path.h"

/* Bytes of text to a bin, as glibc has it */
#define GMON_BIN 4

/**
 * struct gmon_object - what is profiled of an object, and gets a file
 * @object: the object, with no path
 * @low: lowest address, a multiple of GMON_BIN
 * @high: address after the last, another
 * @counters: one for each bin, with room for 4 bytes each
 * @present: whether it is loaded
 * @name: end of the name of its file; none for the program's
 */
struct gmon_object {
	struct object object;
	uint64_t low;
	uint64_t high;
	void *counters;
	bool present;
	char name[256];
};

/* A file that is written; it and its paths are large for a handler's stack. */
struct gmon_writer {
	struct gmon_file file;
	const struct gmon_object *text;
	char path[OUTPUT_PATH_MAX];
	char part[OUTPUT_PATH_MAX];
};

/**
 * struct gmon_process - what is another's in a forked child: there it is zero
 * @pid: the process that started the profile, as a mark that this is not wiped
 * @writing: whether a thread is writing interim files
 * @begun: when the process was seen first, by the monotonic clock
 * @due: when the next interim files are; 0 if it was not seen yet
 */
struct gmon_process {
	int pid;
	bool writing;
	uint64_t begun;
	uint64_t due;
};

/**
 * struct gmon - a profile
 * @output: of its files
 * @numbered: whether their names get the process's number in any case
 * @format: of its files
 * @all: whether libraries are wanted whatever the environment says
 * @period_ns: time between two samples as it is asked for, 0 for the tick
 * @rate: samples per second
 * @width: bytes of a counter
 * @process: see there
 * @nr_objects: elements of @objects
 * @objects: the program, and its libraries if they are wanted
 * @regions: the same for the driver
 * @final: writes the files at the end
 * @interim: writes them before that
 */
struct gmon {
	struct output_path output;
	bool numbered;
	enum gmon_format format;
	bool all;
	uint64_t period_ns;
	uint32_t rate;
	uint32_t width;
	struct gmon_process *process;
	uint32_t nr_objects;
	struct gmon_object objects[PROFIL_MAX_REGIONS];
	struct profil_region regions[PROFIL_MAX_REGIONS];
	struct gmon_writer final;
	struct gmon_writer interim;
};

/*
 * Write the file of @text: 0 or -errno. Its path is in @writer. Neither uses a
 * vector register, nor keeps errno.
 *
 * replace: what has the name already is not touched before all is written.
 */
int profil_gmon_write(const struct gmon *gmon, struct gmon_writer *writer,
		      const struct gmon_object *text);
int profil_gmon_replace(const struct gmon *gmon, struct gmon_writer *writer,
			const struct gmon_object *text);

#endif
