/* SPDX-License-Identifier: GPL-2.0-only */
/* Object of a profile for formats that have a single one */
#ifndef PROFIL_MAIN_OBJECT_H
#define PROFIL_MAIN_OBJECT_H

#include "profile/profile.h"

/**
 * struct main_object - the object of a format
 * @object: its index
 * @samples: its samples
 */
struct main_object {
	uint32_t object;
	uint64_t samples;
};

/*
 * Find the only file with samples, or else the only program with samples. The
 * number of candidates: 0 without a file, 1 if the object was found.
 */
uint32_t profil_main_object(const struct profile *profile,
			    struct main_object *it);

#endif
