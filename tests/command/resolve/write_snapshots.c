// SPDX-License-Identifier: GPL-2.0-only
/*
 * write_snapshots NR PARTS: look up the code in NR snapshots of the recording on stdin,
 * of one file, each with the names of the one before, and write the last one to stdout.
 * Each snapshot has another one of PARTS parts of the places, with one sample in each;
 * the last one has all places and samples.
 */
#include <err.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/run/file_identity.h"
#include "profile/data_file.h"
#include "resolve/known.h"
#include "resolve/resolve.h"
#include "util/memory.h"

/* The origin that a recording has of the file @path */
static struct resolve_origin *origin_of(const char *path)
{
	struct resolve_origin *origin = profil_grow(NULL, 1, sizeof(*origin));

	*origin = (struct resolve_origin){ 0 };
	profil_file_identity(path, &origin->identity);
	return origin;
}

static void add_part(struct profile *profile, const struct profile *all,
		     uint32_t parts, uint32_t part)
{
	profil_profile_set_command(profile, 1, all->head.argv);
	profil_profile_add_program(profile, &all->programs[0]);
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
	char text[DATA_ERROR_TEXT];
	struct profile all;
	const char *path;
	int error;

	profil_profile_init(&all);
	if (argc != 3 || profil_data_read(&all, STDIN_FILENO, text))
		return 2;
	path = all.objects[0].path;
	for (int i = 1; i < atoi(argv[1]); i++) {
		struct profile profile;

		profil_profile_init(&profile);
		add_part(&profile, &all, atoi(argv[2]), i);
		resolve(&profile, &known, path);
		profil_known_keep(&known, &profile);
	}
	resolve(&all, &known, path);
	error = profil_data_write(&all, 1);
	profil_profile_free(&all);
	profil_known_free(&known);
	return error ? 1 : 0;
}
