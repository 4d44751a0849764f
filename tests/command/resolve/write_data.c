// SPDX-License-Identifier: GPL-2.0-only
/* write_data FILE: write the profil.data of the places on stdin to stdout. */
#include "addresses.h"
#include "profile/data_file.h"

int main(int argc, char **argv)
{
	struct profile profile;
	int status;

	if (argc != 2)
		return 2;
	addresses_resolve(&profile, argv[1]);
	status = profil_data_write(&profile, 1);
	profil_profile_free(&profile);
	return status ? 1 : 0;
}
