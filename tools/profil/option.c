// SPDX-License-Identifier: GPL-2.0-only
/* Options of the command line, as all subcommands take them */
#include <err.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>

#include "option.h"
#include "status.h"

int profil_option_next(int argc, char **argv, const char *letters)
{
	static const struct option no_words[] = { { 0 } };

	return getopt_long(argc, argv, letters, no_words, NULL);
}

/* A letter is told by optopt, a word by being the last that was read. */
void profil_option_refuse(int option, char **argv)
{
	char letter[] = { '-', optopt, '\0' };

	if (option == ':')
		errx(EXIT_PROFIL, "%s: %s needs a value; see profil --help",
		     argv[0], letter);
	errx(EXIT_PROFIL, "%s: no such option: %s; see profil --help", argv[0],
	     optopt ? letter : argv[optind - 1]);
}

long profil_option_hz(const char *text)
{
	char *end;
	long hz;

	errno = 0;
	hz = strtol(text, &end, 10);
	if (errno || end == text || *end)
		errx(EXIT_PROFIL,
		     "-F %s: give samples a second as a number, as in -F 1000",
		     text);
	return hz;
}
