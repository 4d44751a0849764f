/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: how many samples fell on which place of which file
 *
 * Whoever takes the samples fills one in, and whoever prints them reads it.
 */
#ifndef PROFIL_SAMPLE_TABLE_H
#define PROFIL_SAMPLE_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "include/run_layout.h"

/* @count samples fell at @offset of a file. */
struct sample {
	uint64_t offset;
	uint64_t count;
};

/**
 * enum code_kind - what samples fell on
 * @CODE_FILE: a file
 * @CODE_OUTSIDE: code of a program that is in none of its files
 * @CODE_JIT: the same, of a program that has made code in memory
 */
enum code_kind { CODE_FILE, CODE_OUTSIDE, CODE_JIT };

/**
 * struct code_object - something that was run, and the samples in it
 * @kind: what it is
 * @path: path of the file, or [vdso]; of the program if it is no file
 * @identity: what was known of the file when it was mapped
 * @samples: the samples, by ascending offset once profil_sample_table_sort() ran
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
 * struct sample_table - the samples of a run
 * @period_ns: CPU time that a sample stands for; 0 if no sample was taken
 * @counted: samples in all objects together
 * @outside: samples that fell into no object
 * @lost: samples that found no counter
 * @objects: the objects
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

/* The object in @table that is like @wanted, or a new one */
struct code_object *
profil_sample_table_object(struct sample_table *table,
			   const struct code_object *wanted);

/* Add @count samples at @offset of @object. */
void profil_sample_table_add(struct sample_table *table,
			     struct code_object *object, uint64_t offset,
			     uint64_t count);

/* Put the samples of every object in order. */
void profil_sample_table_sort(struct sample_table *table);

/* All samples, wherever they are */
uint64_t profil_sample_table_total(const struct sample_table *table);

#endif
