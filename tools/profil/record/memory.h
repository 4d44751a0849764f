/* SPDX-License-Identifier: GPL-2.0-only */
/* Executable memory of processes */
#ifndef PROFIL_RECORD_MEMORY_H
#define PROFIL_RECORD_MEMORY_H

#include "record/objects.h"

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
 * Executable memory of a process, as it was when last read, at @read_ns, which took @took_ns
 * @begin_ns: start of the process, and its image, as of struct resolve_origin
 */
struct memory {
	uint32_t pid;
	uint64_t begin_ns;
	uint64_t image;
	struct range *ranges;
	size_t nr;
	uint64_t read_ns;
	uint64_t took_ns;
};

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

#endif
