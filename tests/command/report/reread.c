// SPDX-License-Identifier: GPL-2.0-only
/* reread: read a profil.data from stdin, and write it to stdout. */
#include <err.h>
#include <string.h>
#include <unistd.h>

#include "profile/data_file.h"

int main(void)
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;
	int error;

	profil_profile_init(&profile);
	if (profil_data_read(&profile, STDIN_FILENO, text))
		errx(1, "%s", text);
	error = profil_data_write(&profile, STDOUT_FILENO, DATA_COMPRESSED);
	profil_profile_free(&profile);
	if (error)
		errx(1, "%s", strerror(-error));
	return 0;
}
