// SPDX-License-Identifier: GPL-2.0-only
/* `profil doctor`: check whether profil works on this machine */
#include <dlfcn.h>
#include <err.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "doctor/checks.h"
#include "record/preload_check.h"
#include "util/exit_status.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

#ifndef VERSION
#define VERSION "unknown"
#endif

/* Columns of a check's name */
#define NAME 12

static const struct {
	const char *name;
	void (*check)(const struct machine *machine, struct finding *finding);
} checks[] = {
	{ "module", profil_check_module },
	{ "device", profil_check_device },
	{ "clock", profil_check_clock },
	{ "memlock", profil_check_memlock },
	{ "sessions", profil_check_sessions },
	{ "library", profil_check_library },
	{ "preload", profil_check_preload },
	{ "symbols", profil_check_symbols },
	{ "perf", profil_check_perf },
};

#define CHECKS (sizeof(checks) / sizeof(*checks))

static void print(FILE *out, const char *name, const struct finding *finding)
{
	char *text = profil_text_printable(finding->text);
	char *mend = profil_text_printable(finding->mend);

	fprintf(out, "%-*s%s\n", NAME, name, text);
	if (*mend)
		fprintf(out, "%*s%s: %s\n", NAME, "",
			finding->is_wrong ? "mend" : "change", mend);
	free(text);
	free(mend);
}

/* Print all findings; the number of those that are wrong */
static int print_all(FILE *out, const struct machine *machine)
{
	int wrong = 0;

	for (size_t i = 0; i < CHECKS; i++) {
		struct finding finding = { 0 };

		checks[i].check(machine, &finding);
		print(out, checks[i].name, &finding);
		wrong += finding.is_wrong;
	}
	fprintf(out, "%d of %zu need%s mending\n", wrong, CHECKS,
		wrong == 1 ? "s" : "");
	return wrong;
}

static int doctor(int argc, char **argv)
{
	struct machine machine = {
		.root = "",
		.version = VERSION,
		.library_wanted = getenv("PROFIL_LIB"),
		.library_directory = profil_preload_directory,
		.servers = getenv("DEBUGINFOD_URLS"),
		.ask = profil_machine_ask,
	};
	char found[PATH_MAX], library[PATH_MAX], request;
	struct utsname system;
	int wrong;
	FILE *out;

	profil_option_parse(&profil_verb_doctor, argc, argv, &request);
	if (argv[optind])
		errx(EXIT_PROFIL, "%s: no operand is expected: %s", *argv,
		     argv[optind]);
	machine.has_debuginfod = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	uname(&system);
	machine.release = system.release;
	if (profil_preload_find(found) && realpath(found, library))
		machine.library = library;
	getrlimit(RLIMIT_MEMLOCK, &machine.memlock);
	out = profil_output_stdout();
	wrong = print_all(out, &machine);
	profil_output_close(out, NULL);
	return wrong > 0;
}

static const struct option_row options[] = { OPTION_ROW_HELP, { 0 } };

const struct verb profil_verb_doctor = {
	.name = "doctor",
	.operands = "",
	.about =
		"profil doctor checks the module, the device, limits and the library, and names\n"
		"a command for each that is not in order. It needs no privileges and changes\n"
		"nothing. The exit status is 1 if something needs mending.\n",
	.options = options,
	.main = doctor,
	.completion = COMPLETE_NOTHING,
};
