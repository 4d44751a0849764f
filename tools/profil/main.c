// SPDX-License-Identifier: GPL-2.0-only
/* profil: the command */
#include <err.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "option.h"
#include "output.h"
#include "report.h"
#include "run.h"
#include "status.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

static const struct verb *const verbs[] = {
	&profil_run_verb,
	&profil_report_verb,
};

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

static const struct verb *find(const char *name)
{
	for (size_t i = 0; i < ELEMENTS(verbs); i++)
		if (!strcmp(name, verbs[i]->name))
			return verbs[i];
	return NULL;
}

static void print_usage(void)
{
	for (size_t i = 0; i < ELEMENTS(verbs); i++)
		printf("%s profil %s %s\n",
		       i ? "      " : "usage:", verbs[i]->name,
		       verbs[i]->usage);
	puts("       profil help [VERB] | --help | --version\n");
	for (size_t i = 0; i < ELEMENTS(verbs); i++)
		printf("%s\n", verbs[i]->about);
	puts("Options: profil help run, profil help report. Manual: profil(1).");
}

static int print_help(const char *name)
{
	const struct verb *verb = name ? find(name) : NULL;

	if (verb)
		profil_option_help(stdout, verb);
	else if (name)
		errx(EXIT_PROFIL,
		     "there is no \"profil %s\"; see profil --help", name);
	else
		print_usage();
	profil_output_close(stdout, NULL);
	return 0;
}

static int version(void)
{
	printf("profil %s\n", VERSION);
	profil_output_close(stdout, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";
	const struct verb *verb = find(name);

	setlocale(LC_CTYPE, "");
	profil_output_begin();
	if (verb)
		return verb->main(argc - 1, argv + 1);
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return print_help(NULL);
	if (!strcmp(name, "help"))
		return print_help(argv[2]);
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		return version();
	if (!*name)
		errx(EXIT_PROFIL,
		     "name what to do, as in profil run -- ls -l; see profil --help");
	errx(EXIT_PROFIL, "there is no \"profil %s\"; see profil --help", name);
}
