/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a run, by object and offset
 */
#ifndef PROFIL_SAMPLE_TABLE_H
#define PROFIL_SAMPLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "include/run_layout.h"
#include "util/index_map.h"

/**
 * struct sample - samples at one place of an object
 * @offset: offset in the file; for CODE_JIT with a process, the address
 * @user: samples in user mode
 * @kernel: samples in kernel mode, which the program entered at @offset
 */
struct sample {
	uint64_t offset;
	uint64_t user;
	uint64_t kernel;
};

/**
 * enum code_kind - kind of a code object
 * @CODE_FILE: a file
 * @CODE_OUTSIDE: code of a program that is not in a file
 * @CODE_JIT: code that a program has generated in memory: of one process, by
 *	address, or of all processes without addresses
 * @CODE_KERNEL: a function of the kernel, whose samples other objects have as well
 */
enum code_kind { CODE_FILE, CODE_OUTSIDE, CODE_JIT, CODE_KERNEL };

/**
 * struct code_object - a file or other code, and the samples in it
 * @kind: kind of the object
 * @path: path of the file, or [vdso]; name of the function for CODE_KERNEL; path
 *	of the program for other kinds
 * @program: path of the program that executed the code
 * @cgroup: cgroup of its processes, or ""
 * @thread: name of its threads, or ""
 * @pid: for CODE_JIT with addresses, the process, as in struct run_text; else 0
 * @identity: identity of the file when it was mapped
 * @samples: samples; ascending after profil_sample_table_sort()
 * @nr: elements of @samples
 * @room: allocated elements of @samples
 */
struct code_object {
	enum code_kind kind;
	char *path;
	char *program;
	char *cgroup;
	char *thread;
	uint32_t pid;
	struct run_identity identity;
	struct sample *samples;
	size_t nr;
	size_t room;
};

/**
 * struct sample_table - all samples of a run
 * @counted: samples in all objects
 * @objects: objects
 * @nr: elements of @objects
 * @found: indices of @objects, by a hash of what distinguishes them
 */
struct sample_table {
	uint64_t counted;
	struct code_object *objects;
	size_t nr;
	struct index_map found;
};

/*
 * Find the object of @table with all members of @wanted up to the identity, or add
 * it. NULL for cgroup and thread is "".
 */
struct code_object *
profil_sample_table_object(struct sample_table *table,
			   const struct code_object *wanted);

/* Add @sample to @object. */
void profil_sample_table_add(struct sample_table *table,
			     struct code_object *object,
			     const struct sample *sample);

/* Sort the samples of each object, one for each offset. */
void profil_sample_table_sort(struct sample_table *table);

/* Subtract the samples of @before, an earlier state; both are sorted. */
void profil_sample_table_subtract(struct sample_table *table,
				  const struct sample_table *before);

/* Make @to a copy of @from. */
void profil_sample_table_copy(struct sample_table *to,
			      const struct sample_table *from);

/* Free the objects and their samples. */
void profil_sample_table_free(struct sample_table *table);

static inline uint64_t sample_count(const struct sample *sample)
{
	return sample->user + sample->kernel;
}

#endif
