// SPDX-License-Identifier: GPL-2.0-only
/* profil: the command */
#include <locale.h>

#include "util/output.h"
#include "util/regular_file.h"
#include "verbs.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

static int print_version(void)
{
	FILE *out = profil_output_stdout();

	fprintf(out, "profil %s\n", VERSION);
	profil_output_close(out, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	setlocale(LC_CTYPE, "");
	profil_output_begin();
	profil_file_survive_cut();
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return profil_help_print();
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		return print_version();
	if (!strcmp(name, "--complete"))
		return profil_complete_print(argv + 2);
	if (!*name)
		die_err("name a verb, as in profil run -- ls -l; see profil --help");
	return profil_verb_require(name)->main(argc - 1, argv + 1);
}
