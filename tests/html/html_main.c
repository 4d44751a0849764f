// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of a recording, to stdout: html_main FILE [DIRECTORY], with the
 * directory of the sources
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>

#include "html/print.h"
#include "profile/data_file.h"

int main(int argc, char **argv)
{
	char text[DATA_ERROR_TEXT];
	struct profile profile;

	profil_profile_init(&profile);
	if (argc < 2 || argc > 3 ||
	    profil_data_read(&profile, open(argv[1], O_RDONLY), text))
		errx(2, "%s", argc > 1 ? text : "name a file");
	profil_profile_sort(&profile);
	profil_html_print(stdout, &profile, argv[2]);
	profil_profile_free(&profile);
	return 0;
}
