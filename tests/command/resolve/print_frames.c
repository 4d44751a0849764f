// SPDX-License-Identifier: GPL-2.0-only
/*
 * print_frames FILE: print the frames of the link-time addresses on stdin, each
 * as a line ADDRESS and a line SYMBOL<TAB>FILE:LINE:COLUMN:DISCRIMINATOR for each
 * frame, the innermost first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "elf/symbols.h"
#include "profile/profile.h"
#include "resolve/resolve.h"

/* Offset in the file of @address; the end of the program if it has none */
static uint64_t offset_of(const struct boundaries *boundaries, uint64_t address)
{
	for (size_t i = 0; i < boundaries->nr_loads; i++) {
		const GElf_Phdr *load = &boundaries->loads[i];

		if (address - load->p_vaddr < load->p_filesz)
			return load->p_offset + (address - load->p_vaddr);
	}
	fprintf(stderr, "0x%" PRIx64 " is in no segment\n", address);
	exit(1);
}

static void read_places(struct profile *profile, const char *path)
{
	struct symbols *symbols = profil_symbols_open(path, NULL);
	uint64_t address;

	while (scanf("%" SCNx64, &address) == 1) {
		struct profile_place place = {
			.offset = offset_of(profil_symbols_boundaries(symbols),
					    address),
			.user = 1,
		};

		profil_profile_add_place(profile, &place);
	}
	profil_symbols_close(symbols);
}

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
	profil_profile_init(&profile);
	profil_profile_add_program(&profile, argv[1]);
	profil_profile_add_object(&profile,
				  &(struct profile_object){ .path = argv[1] });
	read_places(&profile, argv[1]);
	profil_profile_sort(&profile);
	profil_resolve(&profile, NULL);
	for (uint32_t i = 0; i < profile.nr_places; i++)
		print_place(&profile, &profile.places[i]);
	profil_profile_free(&profile);
	return 0;
}
