// SPDX-License-Identifier: GPL-2.0-only
/*
 * write_snapshots FILE NR PARTS: resolve NR snapshots of the places on stdin, see
 * addresses.h, each with the names of the one before, and write the profil.data
 * of the last one to stdout. Each snapshot has another one of PARTS parts of the
 * places, with one sample in each; the last one has all places and samples.
 */
#include <err.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "addresses.h"
#include "profile/data_file.h"
#include "resolve/known.h"
#include "resolve/resolve.h"
#include "util/memory.h"

/* The origin that a recording has of the file @path */
static struct resolve_origin *origin_of(const char *path)
{
	struct resolve_origin *origin = profil_grow(NULL, 1, sizeof(*origin));
	struct stat status;

	if (stat(path, &status))
		err(1, "%s", path);
	*origin = (struct resolve_origin){
		.identity.device = status.st_dev >> 8 << 32 |
				   (status.st_dev & 0xff),
		.identity.inode = status.st_ino,
		.identity.size = status.st_size,
		.identity.mtime_ns = status.st_mtim.tv_sec * 1000000000ULL +
				     status.st_mtim.tv_nsec,
	};
	return origin;
}

static void add_part(struct profile *profile, const struct profile *all,
		     uint32_t parts, uint32_t part)
{
	profil_profile_set_command(profile, 1, all->head.argv);
	profil_profile_add_program(profile, all->programs[0]);
	profil_profile_add_object(profile, &all->objects[0]);
	for (uint32_t i = 0; i < all->nr_places; i++) {
		struct profile_place place = all->places[i];

		place.user = 1;
		if (i % parts < part)
			profil_profile_add_place(profile, &place);
	}
}

static void resolve(struct profile *profile, struct known *known,
		    const char *path)
{
	struct resolve_origin *origins = origin_of(path);

	profil_resolve(profile, origins, known);
	profil_known_set_origins(known, origins);
}

int main(int argc, char **argv)
{
	struct known known = { 0 };
	struct profile all;
	int error;

	if (argc != 4)
		return 2;
	addresses_read(&all, argv[1]);
	for (int i = 1; i < atoi(argv[2]); i++) {
		struct profile profile;

		profil_profile_init(&profile);
		add_part(&profile, &all, atoi(argv[3]), i);
		resolve(&profile, &known, argv[1]);
		profil_known_keep(&known, &profile);
	}
	resolve(&all, &known, argv[1]);
	error = profil_data_write(&all, 1);
	profil_profile_free(&all);
	profil_known_free(&known);
	return error ? 1 : 0;
}
