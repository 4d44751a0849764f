/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile of a recording */
#ifndef PROFIL_GROWING_H
#define PROFIL_GROWING_H

#include "process/process.h"
#include "resolve/resolve.h"

struct memory;

/*
 * What is counted beside places: sums over the table of the driver, CPU time of the
 * processes and of the machine, and nanoseconds of the recording
 */
struct numbers {
	struct profil_take taken;
	struct cpu_time cpu;
	struct machine_time machine;
	uint64_t wall_ns;
};

/* Counts of a sample in user and in kernel mode */
struct count {
	uint64_t user;
	uint64_t kernel;
};

/*
 * A moment of a recording; all 0 is its beginning: numbers, counts of the samples and of
 * the stacks that there were, and samples of the functions of the kernel that there were
 */
struct mark {
	struct numbers numbers;
	struct count *samples;
	uint32_t nr_samples;
	struct count *stacks;
	uint32_t nr_stacks;
	uint64_t *kernel;
	uint32_t nr_kernel;
};

/*
 * The profile of a recording, which grows
 *
 * Counts only grow. A place and a sample are added when they are first counted, and keep
 * their indices; the names of the code are looked up then. What was counted since a moment
 * is the counts now, less those of a mark that was made at that moment.
 */

/*
 * The profile of a recording; all 0 before profil_growing_begin()
 * @profile: all places and samples, in the order of their appearance
 * @origins: origin of each object of @profile
 * @processes: origins of code in processes, which may need names after their end
 * @known: indices of @processes by their IDs
 * @fresh: the same by ID and start, of those read since names were looked up
 * @seen: indices of objects by themselves, whose file was looked for since then
 * @nr_files: descriptors of files in @origins
 * @sights: files of young processes, or NULL
 * @memories: executable memory of processes without a file that has names
 * @nr_named: places whose names have been looked up
 * @objects: indices of objects by kind, path and what distinguishes them
 * @samples: indices of samples by place and program
 * @programs: what is known of programs; private
 * @has_threads: threads of different names are distinguished
 */
struct growing {
	struct profile profile;
	struct numbers now;
	struct resolve_names names;
	struct resolve_origin *origins;
	struct roots roots;
	struct resolve_origin *processes;
	uint32_t nr_processes;
	struct index_map known;
	struct index_map fresh;
	struct index_map seen;
	uint32_t nr_files;
	struct sights *sights;
	struct memory *memories;
	size_t nr_memories;
	struct index_map memory_files;
	uint32_t nr_named;
	struct index_map objects;
	struct index_set samples;
	struct started_programs *programs;
	bool has_threads;
};

void profil_growing_begin(struct growing *growing);
void profil_growing_free(struct growing *growing);

/*
 * Add the program and the counts of @sample at @place, of which the object and the offset
 * are used
 */
void profil_growing_add(struct growing *growing,
			const struct profile_place *place,
			const struct profile_sample *sample);

/*
 * Add the counts of @sample at @place, of the same, with the callers of the stack @parent,
 * or PROFILE_NONE, and @end, as of struct profile_stack; the index of this stack
 */
uint32_t profil_growing_add_stack(struct growing *growing, uint32_t parent,
				  uint32_t end,
				  const struct profile_place *place,
				  const struct profile_sample *sample);

/*
 * Look up the names of new places, in a confined child. @is_last: the code of functions
 * that were hot for a while only is dropped.
 */
void profil_growing_resolve(struct growing *growing, bool is_last);

/* Let @mark, which is empty or an older one, be the present moment. */
void profil_growing_mark(const struct growing *growing, struct mark *mark);
void profil_mark_free(struct mark *mark);

#endif
