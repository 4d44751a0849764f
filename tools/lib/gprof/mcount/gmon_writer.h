/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A profile for gmon.out, and the writing of its files
 */
#ifndef PROFIL_LIB_GMON_WRITER_H
#define PROFIL_LIB_GMON_WRITER_H

#include <linux/profil.h>

#include "core/objects.h"
#include "gprof/mcount/gmon_format.h"
#include "gprof/mcount/output_path.h"

/* Bytes of text per bin, as in glibc */
#define GMON_BIN 4

/**
 * struct gmon_object - profiled part of an object, which gets a file
 * @object: the object, without its path
 * @low: lowest address, a multiple of GMON_BIN
 * @high: address after the last, a multiple of GMON_BIN
 * @counters: one for each bin, with room for 4 bytes each
 * @present: the object is loaded
 * @name: end of the file's name; empty for the program's
 * @path_hash: hash of the library's path
 */
struct gmon_object {
	struct object object;
	uint64_t low;
	uint64_t high;
	void *counters;
	bool present;
	char name[256];
	uint64_t path_hash;
};

/* State of writing a file, too large for the stack of a signal handler */
struct gmon_writer {
	struct gmon_file file;
	const struct gmon_object *text;
	char path[OUTPUT_PATH_MAX];
	char part[OUTPUT_PATH_MAX];
};

/**
 * struct gmon_process - state of one process, zero in a forked child
 * @pid: process that started the profile; not 0 shows that this is not wiped
 * @writing: a thread is writing a checkpoint
 * @begun: time of the first call in the process, in milliseconds of the monotonic
 *	clock
 * @due: time of the next checkpoint; 0 before the first call
 */
struct gmon_process {
	int pid;
	bool writing;
	unsigned long begun;
	unsigned long due;
};

/**
 * struct gmon - a profile
 * @output: path of the files
 * @numbered: all names of files end in the process ID
 * @format: format of the files
 * @all: libraries are profiled, whatever the environment
 * @period_ns: requested time between two samples, 0 for the tick
 * @rate: samples per second
 * @width: bytes of a counter
 * @process: state that is zero in a forked child
 * @nr_objects: elements of @objects
 * @objects: the program, and its libraries if they are profiled
 * @regions: regions of @objects for the driver
 * @final: state of writing the files at the end
 * @interim: state of writing a checkpoint
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
 * Write the file of @text, and leave its path in @writer: 0 or -errno. Uses no
 * vector register; changes errno.
 *
 * replace: an existing file stays unchanged until the new one is complete.
 */
int profil_gmon_write(const struct gmon *gmon, struct gmon_writer *writer,
		      const struct gmon_object *text);
int profil_gmon_replace(const struct gmon *gmon, struct gmon_writer *writer,
			const struct gmon_object *text);

#endif
