// SPDX-License-Identifier: GPL-2.0-only
/* `profil doctor`: check whether profil works on this machine */
#include <dlfcn.h>
#include <sys/utsname.h>

#include "doctor/checks.h"
#include "util/output.h"
#include "util/text.h"
#include "verbs.h"

#ifndef LIBDIR
#define LIBDIR "/usr/local/lib"
#endif

#define LIBRARY "libprofil.so.1"

#ifndef VERSION
#define VERSION "unknown"
#endif

/* Columns of a check's name */
#define NAME 12

static void print_finding(FILE *out, const char *name,
			  const struct finding *finding)
{
	fprintf(out, "%-*s", NAME, name);
	profil_text_print(out, finding->text);
	if (*finding->mend)
		fprintf(out, "\n%*s%s: ", NAME, "",
			finding->is_wrong ? "mend" : "change");
	profil_text_print(out, finding->mend);
	fputc('\n', out);
}

/* Print all findings; the number of those that are wrong */
static int print_all(FILE *out, const struct facts *facts)
{
	int wrong = 0, nr = 0;

	for (; profil_doctor_checks[nr]; nr++) {
		const char *name = profil_doctor_checks[nr];
		struct finding finding = profil_doctor_check(name, facts);

		print_finding(out, name, &finding);
		wrong += finding.is_wrong;
		free(finding.text);
		free(finding.mend);
	}
	fprintf(out, "%d of %d need%s mending\n", wrong, nr,
		wrong == 1 ? "s" : "");
	return wrong;
}

/* The library beside the command, in the build tree or in one prefix, or in LIBDIR */
static const char *find_library(void)
{
	static const char usual[] = LIBDIR "/" LIBRARY;
	char self[PATH_MAX] = "", beside[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = length > 0 ? strrchr(self, '/') : NULL;

	if (slash &&
	    snprintf(beside, PATH_MAX, "%.*s/../lib/" LIBRARY,
		     (int)(slash - self), self) < PATH_MAX &&
	    !access(beside, R_OK))
		return realpath(beside, NULL);
	return access(usual, R_OK) ? NULL : realpath(usual, NULL);
}

#define STATE \
	"LoadState,UnitFileState,ActiveState,Result,ExecMainStatus 2>/dev/null"

/* What systemd says of the service that records the machine; "" without systemd */
static void ask_systemd(char answer[512])
{
	FILE *in = popen("systemctl show profil.service -p " STATE, "re");

	answer[in ? fread(answer, 1, 511, in) : 0] = '\0';
	if (in)
		pclose(in);
}

static int doctor(int argc, char **argv)
{
	struct machine machine = {
		.root = "",
		.version = VERSION,
		.library_directory = LIBDIR,
		.servers = getenv("DEBUGINFOD_URLS"),
		.ask = profil_machine_ask,
		.try_callers = profil_trial_make,
	};
	char request, service[512];
	struct utsname system;
	struct facts facts;
	int wrong;
	FILE *out;

	profil_option_parse(&profil_verb_doctor, argc, argv, &request);
	if (argv[optind])
		die_err("%s: no operand is expected: %s", *argv, argv[optind]);
	machine.has_debuginfod = dlopen("libdebuginfod.so.1", RTLD_LAZY);
	ask_systemd(service);
	machine.service = service;
	uname(&system);
	machine.release = system.release;
	machine.library = find_library();
	getrlimit(RLIMIT_MEMLOCK, &machine.memlock);
	profil_facts_read(&facts, &machine);
	out = profil_output_stdout();
	wrong = print_all(out, &facts);
	profil_facts_free(&facts);
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
