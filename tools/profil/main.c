// SPDX-License-Identifier: GPL-2.0-only
/* profil: the command */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"
#include "run.h"
#include "status.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

static const char usage[] =
	"usage: profil run [-F HZ] [-o FILE] [--] COMMAND [ARGUMENT]...\n"
	"       profil report [-c] [-e PROGRAM] [-F HZ] [-o FILE] FILE...\n"
	"       profil --help | --version\n"
	"\n"
	"profil run runs COMMAND and prints its flat profile: how much CPU time it\n"
	"spent in each function of its program and its shared libraries.\n"
	"\n"
	"  -F HZ    take HZ samples a second of CPU time, not the kernel's tick\n"
	"  -o FILE  print the profile to FILE, not to stderr\n"
	"\n"
	"profil report prints the profile in a gmon.out or mon.out, or the sum of\n"
	"several.\n"
	"\n"
	"  -c          list who called whom how often, too\n"
	"  -e PROGRAM  the program or library that it is about, if not ./a.out\n"
	"  -F HZ       the rate of a mon.out, which does not tell it\n"
	"  -o FILE     print the profile to FILE, not to stdout\n"
	"\n"
	"Example: profil run -F 1000 -- xz -9 -k -c big.tar >/dev/null\n"
	"See profil(1).\n";

/**
 * struct subcommand - one of the things that the command does
 * @name: its name
 * @main: does it with the arguments from its name on; the exit status
 */
struct subcommand {
	const char *name;
	int (*main)(int argc, char **argv);
};

static const struct subcommand subcommands[] = {
	{ "report", profil_report },
	{ "run", profil_run },
};

static int print(const char *text)
{
	if (fputs(text, stdout) < 0 || fflush(stdout))
		errx(EXIT_PROFIL, "cannot write to the standard output");
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	for (size_t i = 0; i < sizeof(subcommands) / sizeof(*subcommands); i++)
		if (!strcmp(name, subcommands[i].name))
			return subcommands[i].main(argc - 1, argv + 1);
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return print(usage);
	if (!strcmp(name, "--version"))
		return print("profil " VERSION "\n");
	if (!*name)
		errx(EXIT_PROFIL, "say what to do, as in: profil run -- ls -l");
	errx(EXIT_PROFIL, "there is no \"profil %s\"; see profil --help", name);
}
