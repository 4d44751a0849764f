/* SPDX-License-Identifier: GPL-2.0-only */
/* The profile of a recording, which grows, and the processes that it is about */
#ifndef PROFIL_GROWING_H
#define PROFIL_GROWING_H

#include "process/process.h"
#include "resolve/resolve.h"
#include "util/clock.h"

/*
 * The profile of a recording, which grows
 *
 * Counts only grow. A place is added when it is first counted, and the names of its
 * code are looked up then. What was counted since a moment is the counts now, less
 * those of a mark that was made at that moment.
 */

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

/* Samples of a place in user and in kernel mode */
struct count {
	uint64_t user;
	uint64_t kernel;
};

/*
 * A moment of a recording; all 0 is its beginning: numbers, counts of the places that
 * there were, and samples of the functions of the kernel that there were
 */
struct mark {
	struct numbers numbers;
	struct count *places;
	uint32_t nr_places;
	uint64_t *kernel;
	uint32_t nr_kernel;
};

void profil_mark_free(struct mark *mark);

/*
 * An object of a profile; @path is that of the program if it is no file
 * @pid: for PROFILE_JIT, the process, or 0
 * @origin: its origin, of which the members up to @root are set
 */
struct code {
	enum profile_kind kind;
	const char *path;
	uint32_t pid;
	struct resolve_origin origin;
};

/*
 * A range of executable memory in a process, from @start up to @end: generated code, for
 * which @file is NULL, or code of @file that was moved, from its offset @moved on
 * @offset: offset of @start in the mapped file of @device and @inode, all 0 without one
 */
struct range {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
	struct code *file;
	uint64_t moved;
};

/*
 * Executable memory of a process, as it was when last read, at @read_ns
 * @begin_ns: start of the process, and its image, as of struct resolve_origin
 */
struct memory {
	uint32_t pid;
	uint64_t begin_ns;
	uint64_t image;
	struct range *ranges;
	size_t nr;
	uint64_t read_ns;
};

/*
 * The profile of a recording; all 0 before profil_growing_begin()
 * @profile: all places, in the order of their appearance after @nr_named
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
 * @places: indices of places by object, offset and program
 * @kernel: indices of functions of the kernel by name
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
	struct index_map places;
	struct index_map kernel;
	struct started_programs *programs;
	bool has_threads;
};

void profil_growing_begin(struct growing *growing);
void profil_growing_free(struct growing *growing);

/*
 * The origin of code in the process @pid, which started at @begin_ns, or 0: its ID in its
 * own PID namespace, its user, and its root directory, which is opened. The process is
 * read once until names are looked up; NULL if it has ended before.
 */
const struct resolve_origin *profil_growing_process(struct growing *growing,
						    uint32_t pid,
						    uint64_t begin_ns);

/**
 * struct executed - a program that the driver has seen
 * @file: path of its file
 * @identity: identity of the file
 * @cgroup: path of its cgroup, or ""
 * @thread: name of a thread
 * @pid: a process, or 0 if that has ended
 * @is_alone: the recording has had this process alone
 */
struct executed {
	const char *file;
	const struct file_identity *identity;
	const char *cgroup;
	char thread[PROFILE_COMM];
	uint32_t pid;
	bool is_alone;
};

/*
 * Index of the program in the profile, by what it is called. One that is not sure any
 * more, as processes of one file and name have different scripts, is called without.
 */
uint32_t profil_growing_program(struct growing *growing,
				const struct executed *executed);
void profil_started_free(struct started_programs *programs);

/* The same for code that it has generated, with the processes that have forked it */
const struct resolve_origin *profil_growing_generator(struct growing *growing,
						      uint32_t pid,
						      uint64_t begin_ns);

/* Forget what was read since names were looked up, or all with @is_all. */
void profil_growing_forget(struct growing *growing, bool is_all);

/* profil_memory_see(), or what stands for it in a test */
typedef void see_memory(struct growing *growing, pid_t pid);

/*
 * Look for the files of processes that were forked since the last call, and of those a
 * while before, in a thousandth of the time at most; and keep their descriptors. Call
 * @see for those that are older.
 */
void profil_sights_look(struct growing *growing, see_memory *see);

/* Descriptor that names the file of @identity, if that was seen; or 0 */
int profil_sights_find(const struct growing *growing,
		       const struct file_identity *identity);

/* Files that are kept, and as many of @sights: each a quarter of those that may be open */
uint32_t profil_sights_most(void);

/* Close the files of processes that have ended, or all with @is_all. */
void profil_sights_drop(struct growing *growing, bool is_all);

/* The same, with what was found out before about files that have samples */
bool profil_growing_is_memory(struct growing *growing, const struct code *code,
			      uint32_t pid);

/*
 * Index in @growing->memories of the process @pid, or INDEX_NONE if it has ended before
 * the first call. @process: of profil_growing_generator()
 */
uint32_t profil_memory_find(struct growing *growing, uint32_t pid,
			    const struct resolve_origin *process);

/*
 * Set the offset of @place, in memory @index: that of its address, or in its file, if the
 * code was moved; @place gets that file. @file: it is an offset in this file, and becomes
 * one of an address. @program: what the process executes. False if the memory has no such
 * place.
 */
bool profil_memory_place(struct growing *growing, uint32_t index,
			 const struct file_identity *file,
			 const struct code *program,
			 struct profile_place *place);

/* Read the memory of the process @pid, if it may have generated code there. */
void profil_memory_see(struct growing *growing, pid_t pid);

/* Forget the memory of all processes. */
void profil_memory_forget(struct growing *growing);

/*
 * Index of the object @code, which is added if it is new, and gets the descriptor of its
 * file
 */
uint32_t profil_growing_object(struct growing *growing,
			       const struct code *code);

/*
 * Index of the file @code that the process @pid has mapped. The file is looked for at its
 * first sight, and once more after each search for names.
 */
uint32_t profil_growing_file(struct growing *growing, struct code *code,
			     uint32_t pid, uint64_t begin_ns);

/* Add the samples of @place: its object, program, offset and counts are set. */
void profil_growing_add(struct growing *growing,
			const struct profile_place *place);

/* Add samples of a function of the kernel. */
void profil_growing_add_kernel(struct growing *growing, const char *name,
			       uint64_t samples);

/*
 * Look up the names of new places, in a confined child. @is_last: the code of functions
 * that were hot for a while only is dropped.
 */
void profil_growing_resolve(struct growing *growing, bool is_last);

/* The part of it that a child does, for files: the places after @nr_named are sorted. */
void profil_growing_find_names(struct growing *growing);

/* Let @mark, which is empty or an older one, be the present moment. */
void profil_growing_mark(const struct growing *growing, struct mark *mark);

/*
 * Add to the initialized @profile what was counted since @mark: places with samples,
 * and the parts of the profile that these refer to. All such profiles have the first
 * program and its file.
 */
void profil_growing_since(const struct growing *growing,
			  const struct mark *mark, struct profile *profile);

#endif
