// SPDX-License-Identifier: GPL-2.0-only
/*
 * write_snapshots NR PARTS: look up the code of the recording on stdin, of one file, in
 * NR takes, each of which has what the one before has and another one of PARTS parts of
 * the places, and write the profile to stdout. The last take has all samples.
 */
#include <stdlib.h>

#include "profile/data_file.h"
#include "record/extract.h"
#include "record/objects.h"

/* Add the first @part of @parts parts of the places, with @samples each, or all. */
static void take(struct growing *growing, const struct profile *all,
		 uint32_t parts, uint32_t part, uint64_t samples)
{
	struct code code = {
		.path = all->objects[0].path,
		.origin.identity = profil_file_identity(all->objects[0].path),
		.origin.root = INDEX_NONE,
	};
	uint32_t object = profil_growing_object(growing, &code);

	profil_profile_add_program(&growing->profile, &all->programs[0]);
	for (uint32_t i = 0; i < all->nr_samples; i++) {
		struct profile_sample sample = all->samples[i];
		struct profile_place place = all->places[sample.place];

		place.object = object;
		sample.user = samples ? samples : sample.user;
		if (i % parts < part)
			profil_growing_add(growing, &place, &sample);
	}
	profil_growing_resolve(growing, !samples);
}

/* The head of a recording is not the subject here. */
static void copy_head(struct profile *to, const struct profile_head *from)
{
	struct profile_head *head = &to->head;

	*head = *from;
	head->argv = NULL;
	profil_profile_set_command(to, from->argc, from->argv);
	head->host = profil_profile_string(to, from->host);
	head->machine = profil_profile_string(to, from->machine);
	head->release = profil_profile_string(to, from->release);
	head->cgroup = profil_profile_string(to, from->cgroup);
}

int main(int argc, char **argv)
{
	struct growing growing;
	struct mark mark = { 0 };
	struct profile all, profile;
	char text[DATA_ERROR_TEXT];
	int error;

	profil_profile_init(&all);
	if (argc != 3 || profil_data_read(&all, 0, text))
		return 2;
	profil_growing_begin(&growing);
	for (int i = 1; i < atoi(argv[1]); i++)
		take(&growing, &all, atoi(argv[2]), i, 1);
	/* What was counted before is not in the profile. */
	profil_growing_mark(&growing, &mark);
	take(&growing, &all, 1, 1, 0);
	profil_profile_init(&profile);
	copy_head(&profile, &all.head);
	profil_growing_since(&growing, &mark, &profile);
	error = profil_data_write(&profile, 1, DATA_COMPRESSED);
	profil_profile_free(&profile);
	profil_profile_free(&all);
	profil_mark_free(&mark);
	profil_growing_free(&growing);
	return error ? 1 : 0;
}
