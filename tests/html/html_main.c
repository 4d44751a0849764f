// SPDX-License-Identifier: GPL-2.0-only
/* The page of a recording: html_main FILE, to stdout */
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
	if (argc != 2 ||
	    profil_data_read(&profile, open(argv[1], O_RDONLY), text))
		errx(2, "%s", argc == 2 ? text : "name a file");
	profil_profile_sort(&profile);
	profil_html_print(stdout, &profile);
	profil_profile_free(&profile);
	return 0;
}
