// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream URL SPOOL LIMIT [HEADER]...
 *
 * Pushes a profile for each line "SAMPLES PLACES" of its input, of one second
 * each, as profil record --push does. A line "die" ends the program by SIGKILL.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "push/stream.h"

#define BEGIN 1700000000000000000ULL
#define SECOND 1000000000ULL

/* A profile of @samples in one place, and of one in each of @places others */
static void make(struct profile *profile, unsigned long second,
		 unsigned long samples, unsigned long places)
{
	static const char *const argv[] = { "prog" };
	struct profile_object object = {
		.kind = PROFILE_JIT,
		.path = "/opt/prog",
		.package = "",
	};
	struct profile_place place = { .function = PROFILE_NONE };

	profil_profile_init(profile);
	profil_profile_set_command(profile, 1, argv);
	profile->head.begin_ns = BEGIN + second * SECOND;
	profile->head.wall_ns = SECOND;
	profile->head.period_ns = 1000000;
	profile->head.samples = samples + places;
	profile->head.hits = samples + places;
	place.program = profil_profile_add_program(profile, object.path);
	place.object = profil_profile_add_object(profile, &object);
	for (unsigned long i = 0; i <= places; i++) {
		place.user = i ? 1 : samples;
		place.offset = i << 32 | random();
		place.address = place.offset;
		if (place.user)
			profil_profile_add_place(profile, &place);
	}
	profil_profile_sort(profile);
}

int main(int argc, char **argv)
{
	struct stream_request request = {
		.url = argv[1],
		.command = argv[0],
		.spool = argv[2],
		.spool_mib = atol(argv[3]),
		.labels = argv + argc,
		.headers = argv + 4,
	};
	unsigned long samples, places;
	struct stream stream;
	struct profile profile;
	char line[64];

	profil_stream_begin(&stream, &request);
	for (unsigned long second = 0; fgets(line, sizeof(line), stdin);
	     second++) {
		if (!strcmp(line, "die\n"))
			raise(SIGKILL);
		if (sscanf(line, "%lu %lu", &samples, &places) != 2)
			return 2;
		make(&profile, second, samples, places);
		profil_stream_add(&stream, &profile);
		profil_profile_free(&profile);
	}
	profil_stream_end(&stream, false);
	return 0;
}
