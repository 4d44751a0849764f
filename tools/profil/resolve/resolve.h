/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_H
#define PROFIL_RESOLVE_H

#include <stdint.h>

#include "include/run_layout.h"
#include "profile/profile.h"

/**
 * struct resolve_origin - where an object of a profile was found
 * @identity: identity of the file when it was mapped
 * @pid: for PROFILE_JIT: the process that generated the code; otherwise 0
 */
struct resolve_origin {
	struct run_identity identity;
	uint32_t pid;
};

/*
 * Look up the code of all places. @profile has sorted places with an object, a
 * program, an offset and samples, and objects with a kind, a path and a build
 * ID; everything else about them is filled in, and functions, frames and
 * segments are added. @origins has an element for each object. After an
 * interrupt (util/interrupt.h) no more files are read.
 */
void profil_resolve(struct profile *profile,
		    const struct resolve_origin *origins);

#endif
