/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of a run, by object and offset
 */
#ifndef PROFIL_SAMPLE_TABLE_H
#define PROFIL_SAMPLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "include/run_layout.h"

/* @count samples at @offset of an object */
struct sample {
	uint64_t offset;
	uint64_t count;
};

/**
 * enum code_kind - kind of a code object
 * @CODE_FILE: a file
 * @CODE_OUTSIDE: code of a program that is not in a file
 * @CODE_JIT: the same, of a program that has generated code in memory
 */
enum code_kind { CODE_FILE, CODE_OUTSIDE, CODE_JIT };

/**
 * struct code_object - a file or other code, and the samples in it
 * @kind: kind of the object
 * @path: path of the file, or [vdso]; path of the program for other kinds
 * @identity: identity of the file when it was mapped
 * @samples: samples; ascending after profil_sample_table_sort()
 * @nr: elements of @samples
 * @room: allocated elements of @samples
 */
struct code_object {
	enum code_kind kind;
	char *path;
	struct run_identity identity;
	struct sample *samples;
	size_t nr;
	size_t room;
};

/**
 * struct sample_table - all samples of a run
 * @period_ns: CPU time that a sample stands for; 0 without a session
 * @counted: samples in all objects
 * @outside: samples outside of all objects
 * @lost: samples without a counter
 * @objects: objects
 * @nr: elements of @objects
 */
struct sample_table {
	uint64_t period_ns;
	uint64_t counted;
	uint64_t outside;
	uint64_t lost;
	struct code_object *objects;
	size_t nr;
};

/* Find the object of @table with kind, path and identity of @wanted, or add it. */
struct code_object *
profil_sample_table_object(struct sample_table *table,
			   const struct code_object *wanted);

/* Add @count samples at @offset of @object. */
void profil_sample_table_add(struct sample_table *table,
			     struct code_object *object, uint64_t offset,
			     uint64_t count);

/* Sort the samples of each object. */
void profil_sample_table_sort(struct sample_table *table);

/* All samples, in objects or not */
uint64_t profil_sample_table_total(const struct sample_table *table);

#endif
