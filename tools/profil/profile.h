/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A profile: how many samples fell on which place of which file
 *
 * Whoever takes the samples fills one in, and whoever prints them reads it.
 */
#ifndef PROFIL_PROFILE_H
#define PROFIL_PROFILE_H

#include <stddef.h>
#include <stdint.h>

/* @count samples fell at @offset of a file. */
struct sample {
	uint64_t offset;
	uint64_t count;
};

/**
 * struct object - a file that was run, and the samples in it
 * @path: its path, or [vdso]
 * @inode: its inode; files of one path can be two
 * @samples: the samples, by ascending offset once profil_profile_sort() ran
 * @nr: elements of @samples
 * @room: allocated elements of @samples
 */
struct object {
	char *path;
	uint64_t inode;
	struct sample *samples;
	size_t nr;
	size_t room;
};

/**
 * struct profile - the samples of a run
 * @period_ns: CPU time that a sample stands for
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

/* The object of that name in @profile, which gets a new one if need be */
struct object *profil_profile_object(struct profile *profile, const char *path,
				     uint64_t inode);

/* Add @count samples at @offset of @object. */
void profil_profile_add(struct profile *profile, struct object *object,
			uint64_t offset, uint64_t count);

/* Put the samples of every object in order. */
void profil_profile_sort(struct profile *profile);

#endif
