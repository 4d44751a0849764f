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
 * enum object_kind - what samples fell on
 * @OBJECT_FILE: a file
 * @OBJECT_OUTSIDE: code of a program that is in none of its files
 * @OBJECT_JIT: the same, of a program that has made code in memory
 */
enum object_kind { OBJECT_FILE, OBJECT_OUTSIDE, OBJECT_JIT };

/**
 * struct object - something that was run, and the samples in it
 * @kind: what it is
 * @path: path of the file, or [vdso]; of the program if it is no file
 * @identity: what was known of the file when it was mapped
 * @samples: the samples, by ascending offset once profil_profile_sort() ran
 * @nr: elements of @samples
 * @room: allocated elements of @samples
 */
struct object {
	enum object_kind kind;
	char *path;
	struct run_identity identity;
	struct sample *samples;
	size_t nr;
	size_t room;
};

/**
 * struct profile - the samples of a run
 * @period_ns: CPU time that a sample stands for; 0 if no sample was taken
 * @counted: samples in all objects together
 * @outside: samples that fell into no object
 * @lost: samples that found no counter
 * @objects: the objects
 * @nr: elements of @objects
 */
struct profile {
	uint64_t period_ns;
	uint64_t counted;
	uint64_t outside;
	uint64_t lost;
	struct object *objects;
	size_t nr;
};

/* The object in @profile that is like @wanted, or a new one */
struct object *profil_profile_object(struct profile *profile,
				     const struct object *wanted);

/* Add @count samples at @offset of @object. */
void profil_profile_add(struct profile *profile, struct object *object,
			uint64_t offset, uint64_t count);

/* Put the samples of every object in order. */
void profil_profile_sort(struct profile *profile);

/* All samples, wherever they are */
uint64_t profil_profile_total(const struct profile *profile);

#endif
