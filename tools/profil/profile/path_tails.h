/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of files in a table: the base name, and as much of the directory as differs */
#ifndef PROFIL_PATH_TAILS_H
#define PROFIL_PATH_TAILS_H

#include "profile/profile.h"

/* Different paths, sorted from their ends */
struct path_tails {
	const char **paths;
	size_t nr;
	struct index_map indices;
};

/* Add the source files of the code of the samples in @profile, and sort @tails. */
void profil_path_tails_read_sources(struct path_tails *tails,
				    const struct profile *profile);
void profil_path_tails_free(struct path_tails *tails);

/*
 * The end of @path from a directory on that the end of no other path has: its base name,
 * if no other path has that one.
 */
const char *profil_path_tail(const struct path_tails *tails, const char *path);

/* The paths of a profile with samples: of objects, and of programs */
struct path_names {
	struct path_tails objects;
	struct path_tails programs;
};

void profil_path_names_read(struct path_names *names,
			    const struct profile *profile);
void profil_path_names_free(struct path_names *names);

#endif
