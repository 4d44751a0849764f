// SPDX-License-Identifier: GPL-2.0-only
/* Checks of the device, the user's limits, the library, and other sources */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <linux/capability.h>

#include "doctor/checks.h"
#include "doctor/machine.h"
#include "include/run_layout.h"

/*
 * Checks of the machine
 *
 * Each check stores one finding, which was zeroed before. No check needs
 * privileges, changes anything, or exits.
 */

/* Check of the device: there, open to this user, and the driver's */

static const char container[] =
	"docker (or podman) run --device %s ..., or systemd-nspawn --bind=%s ...";

static const char interface[] =
	"the driver has version %u of its interface, the command %u";

static void mend_container(struct finding *finding)
{
	profil_finding_mend(finding, container, PROFIL_DEVICE, PROFIL_DEVICE);
}

/* The kernel creates the device again when the module is loaded again. */
static void mend_reload(struct finding *finding)
{
	profil_finding_mend(finding,
			    "sudo modprobe -r profil && sudo modprobe profil");
}

/* sysfs has the numbers of the device. */
static void check_missing(const struct machine *machine,
			  struct finding *finding)
{
	unsigned int major, minor;
	char numbers[32];

	profil_finding_wrong(finding, PROFIL_DEVICE " is missing");
	if (profil_machine_is_container(machine))
		mend_container(finding);
	else if (profil_machine_read(machine, "/sys/class/misc/profil/dev",
				     numbers, sizeof(numbers)) &&
		 sscanf(numbers, "%u:%u", &major, &minor) == 2)
		profil_finding_mend(finding,
				    "sudo mknod -m 666 " PROFIL_DEVICE
				    " c %u %u",
				    major, minor);
	else
		mend_reload(finding);
}

static void check_refused(const struct machine *machine,
			  struct finding *finding, int error)
{
	profil_finding_wrong(finding, "this user may not open " PROFIL_DEVICE);
	if (error == EPERM && profil_machine_is_container(machine))
		mend_container(finding);
	else
		profil_finding_mend(finding, "sudo chmod 666 " PROFIL_DEVICE);
}

static void check_error(const struct machine *machine, struct finding *finding,
			int error)
{
	switch (error) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		check_missing(machine, finding);
		break;
	case EACCES:
	case EPERM:
		check_refused(machine, finding, error);
		break;
	case ENOTTY:
		profil_finding_wrong(finding, PROFIL_DEVICE
				     " is not the device of profil");
		profil_finding_mend(finding, "sudo rm " PROFIL_DEVICE "; ");
		mend_reload(finding);
		break;
	default:
		profil_finding_wrong(finding,
				     "cannot open " PROFIL_DEVICE ": %s",
				     strerror(error));
	}
}

void profil_check_device(const struct machine *machine, struct finding *finding)
{
	struct profil_version version;
	int error = -machine->ask(machine, &version);

	if (error && !profil_machine_is_loaded(machine)) {
		profil_finding_good(finding, "none: the module is not loaded");
	} else if (error) {
		check_error(machine, finding, error);
	} else if (version.abi != PROFIL_ABI) {
		profil_finding_wrong(finding, interface, version.abi,
				     PROFIL_ABI);
		mend_reload(finding);
	} else {
		profil_finding_good(finding,
				    PROFIL_DEVICE ", open to this user");
	}
}

/* Check of the source of ticks, and of the rates that the driver accepts */

#define SECOND 1000000000ULL
#define RESTRICTED "/sys/module/profil/parameters/restrict_fastprof"
#define CHOSEN "/sys/module/profil/parameters/clock"
#define FTRACE "/proc/sys/kernel/ftrace_enabled"

static const char switched_off[] =
	"%s, 1 to %llu samples a second: higher rates are switched off";

static const char no_timers[] =
	"%s, 1 to %llu samples a second: no timers for higher rates";

static const char no_hook[] =
	"sudo dmesg | grep profil: has the reason why no tick is hooked";

static const char no_ftrace[] =
	"kernel.ftrace_enabled is 0, so the tick cannot be hooked";

static bool holds(const struct machine *machine, const char *path,
		  const char *expected)
{
	char line[32];

	return profil_machine_read(machine, path, line, sizeof(line)) &&
	       !strcmp(line, expected);
}

static void check_rates(const struct machine *machine, struct finding *finding,
			const struct profil_version *version)
{
	unsigned long long most = SECOND / version->min_period_ns;
	const char *name = version->clock == PROFIL_CLOCK_FTRACE ?
				   "tick by ftrace" :
				   "timer";

	if (version->min_period_ns != version->tick_ns) {
		profil_finding_good(finding, "%s, 1 to %llu samples a second",
				    name, most);
	} else if (holds(machine, RESTRICTED, "Y")) {
		profil_finding_good(finding, switched_off, name, most);
		profil_finding_mend(finding, "echo 0 | sudo tee " RESTRICTED);
	} else {
		profil_finding_good(finding, no_timers, name, most);
	}
}

/* The module names the reason in the kernel's log. */
static void note_timer(const struct machine *machine, struct finding *finding,
		       const struct profil_version *version)
{
	if (version->clock == PROFIL_CLOCK_TIMER &&
	    holds(machine, CHOSEN, "auto") && !*finding->mend)
		profil_finding_mend(finding, no_hook);
}

void profil_check_clock(const struct machine *machine, struct finding *finding)
{
	struct profil_version version;

	if (machine->ask(machine, &version) || !version.min_period_ns) {
		profil_finding_good(finding,
				    "unknown: the device does not answer");
	} else if (version.clock == PROFIL_CLOCK_FTRACE &&
		   holds(machine, FTRACE, "0")) {
		profil_finding_wrong(finding, no_ftrace);
		profil_finding_mend(finding,
				    "sudo sysctl kernel.ftrace_enabled=1");
	} else {
		check_rates(machine, finding, &version);
		note_timer(machine, finding, &version);
	}
}

/* Check of the memory that the user may lock */

/* Debian's limit, which is enough for most commands, and a limit too small */
#define USUAL_KIB 8192
#define LEAST_KIB 1024

/* KiB of counters, one for each byte, for a page of code with samples */
#define PAGE_KIB (4 * RUN_COUNTER)

static const char limits[] =
	"echo '* - memlock %d' | sudo tee /etc/security/limits.d/profil.conf; log in again";

static const char few_pages[] =
	"%llu KiB: enough for %llu pages of hot code only";

static const char pages[] = "%llu KiB: enough for %llu pages of hot code";

/* The process may lock any amount. */
static bool has_capability(const struct machine *machine)
{
	FILE *file = profil_machine_open(machine, "/proc/self/status");
	unsigned long long effective = 0;
	char line[256];

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		sscanf(line, "CapEff: %llx", &effective);
	fclose(file);
	return effective >> CAP_IPC_LOCK & 1;
}

static void mend_limit(const struct machine *machine, struct finding *finding)
{
	if (machine->memlock.rlim_max / 1024 >= USUAL_KIB)
		profil_finding_mend(finding, "ulimit -l %d", USUAL_KIB);
	else
		profil_finding_mend(finding, limits, USUAL_KIB);
}

void profil_check_memlock(const struct machine *machine,
			  struct finding *finding)
{
	unsigned long long kib = machine->memlock.rlim_cur / 1024;

	if (machine->memlock.rlim_cur == RLIM_INFINITY ||
	    has_capability(machine)) {
		profil_finding_good(finding, "no limit for this user");
	} else if (kib < LEAST_KIB) {
		profil_finding_wrong(finding, few_pages, kib, kib / PAGE_KIB);
		mend_limit(machine, finding);
	} else {
		profil_finding_good(finding, pages, kib, kib / PAGE_KIB);
	}
}

/* Check of the number of processes that a user may profile at a time */

#define PARAMETER "/sys/module/profil/parameters/max_sessions"

/* The driver's default, and a number that a build of a program exceeds */
#define USUAL 4096
#define FEW 64

static const char few[] =
	"%lu processes of a user at a time: more are not profiled";

void profil_check_sessions(const struct machine *machine,
			   struct finding *finding)
{
	unsigned long most;
	char line[32];

	if (!profil_machine_read(machine, PARAMETER, line, sizeof(line))) {
		profil_finding_good(finding,
				    "unknown: " PARAMETER " is missing");
		return;
	}
	most = strtoul(line, NULL, 10);
	if (most < FEW) {
		profil_finding_wrong(finding, few, most);
		profil_finding_mend(finding, "echo %d | sudo tee " PARAMETER,
				    USUAL);
	} else {
		profil_finding_good(finding,
				    "%lu processes of a user at a time", most);
	}
}

/* Checks of the library: found, of this version, and fit for LD_PRELOAD */

static const char other_version[] =
	"%s has version %s and cannot be used by version %s";

static const char bad_path[] =
	"the path of %s has a space, a colon or a dollar sign";

static const char noexec[] = "%s is in a file system that is mounted noexec";

static const char both[] =
	"64-bit glibc programs; 32-bit programs start unprofiled";

static const char only_64[] =
	"64-bit glibc programs; 32-bit programs print an error of the dynamic linker";

static void mend_library(struct finding *finding)
{
	profil_finding_mend(finding, "make && sudo make install-tools");
}

void profil_check_library(const struct machine *machine,
			  struct finding *finding)
{
	struct library_file library;

	if (!machine->library && machine->library_wanted) {
		profil_finding_wrong(finding, "PROFIL_LIB=%s cannot be read",
				     machine->library_wanted);
		profil_finding_mend(finding, "unset PROFIL_LIB");
		return;
	}
	if (!machine->library) {
		profil_finding_wrong(finding, "libprofil.so.1 is not in %s",
				     machine->library_directory);
		mend_library(finding);
		return;
	}
	if (!profil_library_file_read(&library, machine->library)) {
		profil_finding_wrong(finding,
				     "%s is not a library of profil %s",
				     machine->library, machine->version);
		mend_library(finding);
	} else if (library.run_magic != RUN_MAGIC ||
		   strcmp(library.version, machine->version)) {
		profil_finding_wrong(finding, other_version, machine->library,
				     library.version, machine->version);
		mend_library(finding);
	} else {
		profil_finding_good(finding, "%s, version %s, for %s programs",
				    machine->library, library.version,
				    library.is_musl ? "musl" : "glibc");
	}
}

/* The library may be copied; only 32-bit programs need more than one file. */
static void mend_place(struct finding *finding, const char *path)
{
	profil_finding_mend(finding, "cp '%s' ~ && ", path);
	profil_finding_mend(finding, "export PROFIL_LIB=~/libprofil.so.1");
}

static bool is_noexec(const char *path)
{
	struct statvfs status;

	return !statvfs(path, &status) && status.f_flag & ST_NOEXEC;
}

/* 32-bit programs find an empty library by another name of the processor. */
static bool has_empty_library(const char *path)
{
	char empty[PATH_MAX];
	int directory = strrchr(path, '/') - path;

	return snprintf(empty, sizeof(empty), "%.*s/profil/i686/libprofil.so.1",
			directory, path) < (int)sizeof(empty) &&
	       !access(empty, R_OK);
}

void profil_check_preload(const struct machine *machine,
			  struct finding *finding)
{
	char path[PATH_MAX];

	if (!machine->library || !realpath(machine->library, path)) {
		profil_finding_good(finding, "unknown: there is no library");
	} else if (strpbrk(path, " :$")) {
		profil_finding_wrong(finding, bad_path, path);
		mend_place(finding, path);
	} else if (is_noexec(path)) {
		profil_finding_wrong(finding, noexec, path);
		mend_place(finding, path);
	} else if (has_empty_library(path)) {
		profil_finding_good(finding, both);
	} else {
		profil_finding_good(finding, only_64);
	}
}

/* Remarks on sources of symbols, and on perf(1) */

#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

static const char servers[] = "from files, and from debuginfod at %s";

static const char no_debuginfod[] =
	"from files only: libdebuginfod is not installed";

static const char files_only[] = "from files only: DEBUGINFOD_URLS is not set";

static const char restricted[] =
	"not needed: kernel.perf_event_paranoid is %d, which restricts perf but not profil";

static const char unrestricted[] =
	"not needed: kernel.perf_event_paranoid is %d";

void profil_check_symbols(const struct machine *machine,
			  struct finding *finding)
{
	if (!machine->servers || !*machine->servers) {
		profil_finding_good(finding, files_only);
	} else if (machine->has_debuginfod) {
		profil_finding_good(finding, servers, machine->servers);
	} else {
		profil_finding_good(finding, no_debuginfod);
		profil_finding_mend(finding, "sudo apt install libdebuginfod1");
	}
}

void profil_check_perf(const struct machine *machine, struct finding *finding)
{
	char line[32];

	if (!profil_machine_read(machine, PARANOID, line, sizeof(line)))
		profil_finding_good(finding,
				    "not needed, and this kernel has none");
	else if (atoi(line) > 1)
		profil_finding_good(finding, restricted, atoi(line));
	else
		profil_finding_good(finding, unrestricted, atoi(line));
}
