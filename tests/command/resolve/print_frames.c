// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_frames FILE: print the frames of the places on stdin, see addresses.h, each
 * as a line ADDRESS and a line SYMBOL<TAB>FILE:LINE:COLUMN:DISCRIMINATOR for each
 * frame, the innermost first.
 */
#include <inttypes.h>
#include <stdio.h>

#include "addresses.h"

static void print_place(const struct profile *profile,
			const struct profile_place *place)
{
	printf("0x%" PRIx64 "\n", place->address);
	for (uint32_t i = 0; i < place->nr_frames; i++) {
		const struct profile_frame *frame =
			&profile->frames[place->frames + i];

		printf("%s\t%s:%u:%u:%u\n",
		       profile->functions[frame->function].symbol, frame->file,
		       frame->line, frame->column, frame->discriminator);
	}
}

int main(int argc, char **argv)
{
	struct profile profile;

	if (argc != 2)
		return 2;
	addresses_resolve(&profile, argv[1]);
	for (uint32_t i = 0; i < profile.nr_places; i++)
		print_place(&profile, &profile.places[i]);
	profil_profile_free(&profile);
	return 0;
}
