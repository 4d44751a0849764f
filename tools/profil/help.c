// SPDX-License-Identifier: GPL-2.0-only
/* `profil help`: print a summary of the command or of a verb */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/option.h"
#include "util/output.h"
#include "verbs.h"

const struct verb *const profil_verbs[] = {
	&profil_verb_run,
	&profil_verb_record,
	&profil_verb_top,
	&profil_verb_report,
	&profil_verb_annotate,
	&profil_verb_diff,
	&profil_verb_export,
	&profil_verb_push,
	&profil_verb_doctor,
	&profil_verb_help,
	NULL,
};

const struct verb *profil_verb_find(const char *name)
{
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		if (!strcmp(name, (*verb)->name))
			return *verb;
	return NULL;
}

const struct verb *profil_verb_require(const char *name)
{
	const struct verb *found = profil_verb_find(name);
	struct nearest nearest;

	if (found)
		return found;
	profil_nearest_begin(&nearest, name);
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		profil_nearest_compare(&nearest, (*verb)->name);
	if (nearest.found)
		errx(EXIT_PROFIL,
		     "there is no \"profil %s\"; the nearest is \"profil %s\"; see profil --help",
		     name, nearest.found);
	errx(EXIT_PROFIL, "there is no \"profil %s\"; see profil --help", name);
}

int profil_help_print(void)
{
	FILE *out = profil_output_stdout();
	const char *prefix = "usage:";

	for (const struct verb *const *verb = profil_verbs; *verb; verb++) {
		profil_option_synopsis(out, *verb, prefix);
		prefix = "      ";
	}
	fputs("       profil -h | --help | -V | --version\n", out);
	for (const struct verb *const *verb = profil_verbs; *verb; verb++)
		fprintf(out, "\n%s", (*verb)->about);
	fputs("\nOptions of a verb: profil help VERB. Manual: profil(1), profil-VERB(1).\n",
	      out);
	profil_output_close(out, NULL);
	return 0;
}

static int print_help(int argc, char **argv)
{
	char request;

	profil_option_parse(&profil_verb_help, argc, argv, &request);
	if (!argv[optind])
		return profil_help_print();
	if (argv[optind + 1])
		errx(EXIT_PROFIL, "help: name one verb, as in profil help %s",
		     argv[optind]);
	profil_option_help(profil_verb_require(argv[optind]));
	return 0;
}

static const struct option_row options[] = { OPTION_ROW_HELP, { 0 } };

const struct verb profil_verb_help = {
	.name = "help",
	.operands = "[VERB]",
	.about =
		"profil help prints this summary, or that of VERB with its options.\n",
	.options = options,
	.main = print_help,
	.completion = COMPLETE_VERB,
};
