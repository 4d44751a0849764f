// SPDX-License-Identifier: GPL-2.0-only
/* A profile by link-time addresses */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>

#include "addresses.h"
#include "elf/symbols.h"
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
	uint64_t address, samples;

	while (scanf("%" SCNx64 " %" SCNu64, &address, &samples) == 2) {
		struct profile_place place = {
			.offset = offset_of(profil_symbols_boundaries(symbols),
					    address),
			.user = samples,
		};

		profil_profile_add_place(profile, &place);
	}
	profil_symbols_close(symbols);
}

void addresses_read(struct profile *profile, const char *path)
{
	struct profile_object object = { .path = path };
	struct utsname machine;

	profil_profile_init(profile);
	uname(&machine);
	profile->head.machine = profil_profile_string(profile, machine.machine);
	profile->head.period_ns = 1000000;
	profil_profile_set_command(profile, 1, &path);
	profil_profile_add_program(profile, path);
	profil_profile_add_object(profile, &object);
	read_places(profile, path);
	profil_profile_sort(profile);
	profile->head.samples = profil_profile_total(profile);
	profile->head.hits = profile->head.samples;
}

void addresses_resolve(struct profile *profile, const char *path)
{
	addresses_read(profile, path);
	profil_resolve(profile, NULL, NULL);
}
