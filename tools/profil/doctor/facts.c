// SPDX-License-Identifier: GPL-2.0-only
/* Facts about the machine, the user and the installation */
#include <glob.h>
#include <stdarg.h>
#include <sys/ioctl.h>

#include <linux/capability.h>

#include "doctor/facts.h"
#include "util/clock.h"
#include "util/debug_server.h"
#include "util/text.h"

/* The module is for this release of Linux, and later ones. */
#define LEAST_RELEASE "6.1"

#define PARAMETERS "/sys/module/profil/parameters"

/* A limit of locked memory that is too small, and Debian's, which mostly is enough */
#define LEAST_KIB 1024
#define USUAL_KIB 8192

/* KiB of counters, one for each byte, for a page of code with samples */
#define PAGE_KIB 16

/* Processes at a time that a build of a program exceeds */
#define FEW_SESSIONS 64

/* Directories that make install, DKMS and packages use */
#define MODULES \
	"/{updates,updates/dkms,extra,misc,kernel/drivers/misc}/profil.ko{,.xz,.zst,.gz}"

/* A file hides those of the same name in later directories. */
#define CONFIGURATIONS \
	"{/etc,/run,/usr/local/lib,/usr/lib,/lib}/modprobe.d/*.conf"

/* Add the fact @name, which has no text if it does not hold. */
__attribute__((format(printf, 4, 5))) static void
add(struct facts *facts, const char *name, bool holds, const char *format, ...)
{
	struct fact fact = { .name = name };
	va_list values;

	va_start(values, format);
	if (holds && vasprintf(&fact.text, format, values) < 0)
		profil_memory_exhausted();
	va_end(values);
	ARRAY_ADD(facts->array, facts->nr, fact);
}

/* Add a fact without a text. */
static void add_flag(struct facts *facts, const char *name, bool holds)
{
	add(facts, name, holds, "%s", "");
}

/* Add a fact whose text is @text; it does not hold if that is NULL or empty. */
static void add_text(struct facts *facts, const char *name, const char *text)
{
	add(facts, name, text && *text, "%s", text ?: "");
}

/*
 * Path in the root by a @format for one @word, or none. A longer path than the system
 * takes is cut, and no file has it.
 */
static void make_path(const struct machine *machine, char path[PATH_MAX],
		      const char *format, const char *word)
{
	size_t root = snprintf(path, PATH_MAX, "%s", machine->root);

	if (root < PATH_MAX)
		snprintf(path + root, PATH_MAX - root, format, word);
}

static bool has(const struct machine *machine, const char *format,
		const char *word)
{
	char path[PATH_MAX];

	make_path(machine, path, format, word);
	return !access(path, F_OK);
}

/* Read the first line of a file; "" if it cannot be read. */
static const char *read_line(const struct machine *machine, const char *name,
			     char line[128])
{
	char path[PATH_MAX];

	make_path(machine, path, "%s", name);
	return profil_text_line(path, line, 128);
}

static bool says(const struct machine *machine, const char *name,
		 const char *expected)
{
	char line[128];

	return !strcmp(read_line(machine, name, line), expected);
}

/* Find files by a pattern; strlen(@machine->root) bytes of their paths are the root. */
static void find_files(const struct machine *machine, glob_t *found,
		       const char *format, const char *word)
{
	char pattern[PATH_MAX];

	make_path(machine, pattern, format, word);
	*found = (glob_t){ 0 };
	glob(pattern, GLOB_BRACE, NULL, found);
}

/* Installed modules, and configuration of modprobe */

/* Some part of the file @path, up to a byte @end, fits @word. */
static bool has_part(const char *path, char end,
		     bool (*fits)(char *, const char *), const char *word)
{
	FILE *file = fopen(path, "re");
	bool found = false;
	char *part = NULL;
	size_t size;

	if (!file)
		return false;
	while (!found && getdelim(&part, &size, end, file) > 0)
		found = fits(part, word);
	free(part);
	fclose(file);
	return found;
}

static bool has_line(const char *path, bool (*fits)(char *, const char *),
		     const char *word)
{
	return has_part(path, '\n', fits, word);
}

/* A line of modules.dep begins with the module. */
static bool is_of_module(char *line, const char *name)
{
	line[strcspn(line, ":")] = '\0';
	return strstr(line, name);
}

/* A signed module ends with the signature; a compressed file may have one. */
static bool is_signed(const char *path)
{
	static const char signature[] = "~Module signature appended~\n";
	char end[sizeof(signature)] = "";
	size_t length = strlen(path);
	FILE *file;

	if (strcmp(path + length - strlen(".ko"), ".ko"))
		return true;
	file = fopen(path, "re");
	if (!file)
		return true;
	if (!fseek(file, 1 - (long)sizeof(signature), SEEK_END))
		end[fread(end, 1, sizeof(signature) - 1, file)] = '\0';
	fclose(file);
	return !strcmp(end, signature);
}

static void add_installed(struct facts *facts, const struct machine *machine)
{
	size_t root = strlen(machine->root);
	const char *path = NULL;
	char listed[PATH_MAX];
	glob_t found;

	make_path(machine, listed, "/lib/modules/%s/modules.dep",
		  machine->release);
	find_files(machine, &found, "/lib/modules/%s" MODULES,
		   machine->release);
	if (found.gl_pathc)
		path = *found.gl_pathv;
	add_text(facts, "installed", path ? path + root : NULL);
	add_flag(facts, "signed", path && is_signed(path));
	add_flag(facts, "listed", has_line(listed, is_of_module, "/profil.ko"));
	globfree(&found);
}

/*
 * Keep the latest release in the paths of files, behind @length bytes of the pattern, if
 * that has modules and is not @other.
 */
static void find_latest(const struct machine *machine, const char *pattern,
			size_t length, const char *other,
			char latest[NAME_MAX + 1])
{
	size_t root = strlen(machine->root) + length;
	glob_t found;

	find_files(machine, &found, pattern, NULL);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		char *release = found.gl_pathv[i] + root;

		release[strcspn(release, "/")] = '\0';
		if (strcmp(release, other) && strverscmp(release, latest) > 0 &&
		    has(machine, "/lib/modules/%s/", release))
			snprintf(latest, NAME_MAX + 1, "%s", release);
	}
	globfree(&found);
}

/* Add the latest release of another kernel that the module is installed for. */
static void add_other_kernel(struct facts *facts, const struct machine *machine)
{
	char latest[NAME_MAX + 1] = "";

	find_latest(machine, "/lib/modules/*" MODULES, strlen("/lib/modules/"),
		    machine->release, latest);
	add_text(facts, "other_kernel", latest);
}

/* Add the latest kernel that is installed, which most boot loaders take by default. */
static void add_next_kernel(struct facts *facts, const struct machine *machine)
{
	char next[NAME_MAX + 1] = "";
	glob_t found;

	find_latest(machine, "/boot/vmlinuz-*", strlen("/boot/vmlinuz-"), "",
		    next);
	find_latest(machine, "/lib/modules/*/vmlinuz", strlen("/lib/modules/"),
		    "", next);
	find_files(machine, &found, "/lib/modules/%s" MODULES, next);
	add_text(facts, "next", next);
	add_flag(facts, "next_runs", !strcmp(next, machine->release));
	add_flag(facts, "next_installed", found.gl_pathc);
	add_flag(facts, "next_has_headers",
		 has(machine, "/lib/modules/%s/build/Makefile", next));
	add_flag(facts, "next_packaged",
		 has(machine, "/var/lib/dpkg/info/linux-image-%s.list", next));
	globfree(&found);
}

/* Lockdown and a parameter of the kernel restrict modules to signed ones. */
static bool is_signed_only(const struct machine *machine)
{
	char line[128];

	read_line(machine, "/sys/kernel/security/lockdown", line);
	return (*line && !strstr(line, "[none]")) ||
	       says(machine, "/sys/module/module/parameters/sig_enforce", "Y");
}

/*
 * A line of modprobe.d(5) is "@word profil". A command of "install profil COMMAND" may
 * load the module after all.
 */
static bool is_rule(char *line, const char *word)
{
	char first[16], module[16];

	return sscanf(line, "%15s %15s", first, module) == 2 &&
	       !strcmp(first, word) && !strcmp(module, "profil") &&
	       !strstr(line, "--ignore-install") && !strstr(line, " -i ");
}

static bool is_hidden(const glob_t *found, size_t index)
{
	const char *name = strrchr(found->gl_pathv[index], '/');

	for (size_t i = 0; i < index; i++)
		if (!strcmp(strrchr(found->gl_pathv[i], '/'), name))
			return true;
	return false;
}

/* Add the file that keeps the module from being loaded by a line of @word. */
static void add_rule(struct facts *facts, const char *name,
		     const struct machine *machine, const char *word)
{
	size_t root = strlen(machine->root);
	const char *file = NULL;
	glob_t found;

	find_files(machine, &found, CONFIGURATIONS, NULL);
	for (size_t i = 0; !file && i < found.gl_pathc; i++)
		if (!is_hidden(&found, i) &&
		    has_line(found.gl_pathv[i], is_rule, word))
			file = found.gl_pathv[i] + root;
	add_text(facts, name, file);
	globfree(&found);
}

static void add_kernel(struct facts *facts, const struct machine *machine)
{
	char loaded[128];

	add_text(facts, "release", machine->release);
	add_flag(facts, "old_kernel",
		 strverscmp(machine->release, LEAST_RELEASE) < 0);
	read_line(machine, "/sys/module/profil/version", loaded);
	add(facts, "loaded", has(machine, "/sys/module/profil", NULL), "%s",
	    *loaded ? loaded : "unknown");
	add_flag(facts, "same_module", !strcmp(loaded, machine->version));
	add_flag(facts, "container",
		 has(machine, "/.dockerenv", NULL) ||
			 has(machine, "/run/.containerenv", NULL) ||
			 has(machine, "/run/host/container-manager", NULL) ||
			 has(machine, "/run/systemd/container", NULL));
	add_flag(facts, "signed_only", is_signed_only(machine));
	add_rule(facts, "replaced", machine, "install");
	add_rule(facts, "blacklisted", machine, "blacklist");
}

/* Other kernels than those of packages have no package of headers. */
static void add_packages(struct facts *facts, const struct machine *machine)
{
	const char *release = machine->release;

	add_flag(facts, "has_headers",
		 has(machine, "/lib/modules/%s/build/Makefile", release));
	add_flag(facts, "packaged_kernel",
		 has(machine, "/var/lib/dpkg/info/linux-image-%s.list",
		     release));
	add_flag(facts, "dnf", has(machine, "/usr/bin/dnf", NULL));
	add_flag(facts, "pacman", has(machine, "/usr/bin/pacman", NULL));
	add_flag(facts, "dkms",
		 has(machine, "/usr/src/profil-%s/dkms.conf",
		     machine->version));
	add_flag(facts, "packaged",
		 has(machine, "/var/lib/dpkg/info/profil.list", NULL));
}

/* The device and the driver */

int profil_machine_ask(const struct machine *machine,
		       struct profil_version *version)
{
	char path[PATH_MAX];
	int fd, error = 0;

	make_path(machine, path, PROFIL_DEVICE, NULL);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	*version = (struct profil_version){ .size = sizeof(*version) };
	if (ioctl(fd, PROFIL_IOC_VERSION, version))
		error = -ENOTTY;
	close(fd);
	return error;
}

/* sysfs has the numbers of the device. */
static void add_error(struct facts *facts, const struct machine *machine,
		      int error)
{
	unsigned int major, minor;
	char line[128];
	bool has_numbers =
		sscanf(read_line(machine, "/sys/class/misc/profil/dev", line),
		       "%u:%u", &major, &minor) == 2;

	add(facts, "device_error", error, "%s", strerror(error));
	add_flag(facts, "device_missing",
		 error == ENOENT || error == ENXIO || error == ENODEV);
	add_flag(facts, "device_forbidden", error == EPERM);
	add_flag(facts, "device_refused", error == EPERM || error == EACCES);
	add_flag(facts, "device_foreign", error == ENOTTY);
	add(facts, "numbers", has_numbers, "%u %u", major, minor);
}

/* The module names the reason for a timer in the kernel's log. */
static void add_clock(struct facts *facts, const struct machine *machine,
		      const struct profil_version *version)
{
	bool is_known = version->min_period_ns;
	bool is_ftrace = is_known && version->clock == PROFIL_CLOCK_FTRACE;

	add(facts, "clock", is_known, "%s",
	    is_ftrace ? "tick by ftrace" : "timer");
	add(facts, "rate", is_known, "%llu",
	    is_known ? SECOND / version->min_period_ns : 0);
	add_flag(facts, "coarse", version->min_period_ns == version->tick_ns);
	add_flag(facts, "restricted",
		 says(machine, PARAMETERS "/restrict_fastprof", "Y"));
	add_flag(facts, "ftrace_off",
		 is_ftrace &&
			 says(machine, "/proc/sys/kernel/ftrace_enabled", "0"));
	add_flag(facts, "unhooked_timer",
		 version->clock == PROFIL_CLOCK_TIMER &&
			 says(machine, PARAMETERS "/clock", "auto"));
}

/* Callers */

static void add_trial(struct facts *facts, const struct machine *machine,
		      bool has_driver)
{
	struct trial trial = { 0 };

	if (has_driver)
		machine->try_callers(&trial);
	add_flag(facts, "flat", trial.error && trial.is_flat);
	add(facts, "refused", trial.error, "%s", strerror(trial.error));
	add_flag(facts, "kernel_pcs", trial.has_kernel);
	add(facts, "sampled", trial.samples, "%" PRIu64, trial.samples);
	add(facts, "reached", true, "%" PRIu64, trial.whole);
	add_flag(facts, "whole", 2 * trial.whole > trial.samples);
	add_text(facts, "tableless", trial.tableless);
}

static bool has_word(char *text, const char *word)
{
	return strstr(text, word);
}

/* The file @path has @option, in a part that ends with a zero, or may not be read. */
static bool may_have(const char *path, const char *option)
{
	return access(path, R_OK) || has_part(path, '\0', has_word, option);
}

static bool lacks(const char *directory, const char *name, const char *option)
{
	char *comm = profil_format("%s/comm", directory), line[32];
	char *arguments = profil_format("%s/cmdline", directory);
	char *variables = profil_format("%s/environ", directory);
	bool result = !strcmp(profil_text_line(comm, line, 32), name) &&
		      !may_have(arguments, option) &&
		      !may_have(variables, option);

	free(comm);
	free(arguments);
	free(variables);
	return result;
}

/* Add a process @name that has @option neither as an argument nor in a variable. */
static void add_process(struct facts *facts, const struct machine *machine,
			const char *name, const char *option)
{
	size_t proc = strlen(machine->root) + strlen("/proc/");
	const char *pid = NULL;
	glob_t found;

	find_files(machine, &found, "/proc/[0-9]*", NULL);
	for (size_t i = 0; !pid && i < found.gl_pathc; i++)
		if (lacks(found.gl_pathv[i], name, option))
			pid = found.gl_pathv[i] + proc;
	add_text(facts, name, pid);
	globfree(&found);
}

static void add_callers(struct facts *facts, const struct machine *machine,
			bool has_driver)
{
	add_trial(facts, machine, has_driver);
	add_process(facts, machine, "java", "+PreserveFramePointer");
	add_process(facts, machine, "node", "--perf-basic-prof");
}

static void add_driver(struct facts *facts, const struct machine *machine)
{
	struct profil_version version = { 0 };
	int error = -machine->ask(machine, &version);
	char sessions[128];

	if (error)
		version = (struct profil_version){ 0 };
	add_error(facts, machine, error);
	add(facts, "abi", true, "%u", PROFIL_ABI);
	add(facts, "other_abi", version.abi != PROFIL_ABI, "%u", version.abi);
	add_clock(facts, machine, &version);
	read_line(machine, PARAMETERS "/max_sessions", sessions);
	add_text(facts, "sessions", sessions);
	add_flag(facts, "few_sessions",
		 strtoul(sessions, NULL, 10) < FEW_SESSIONS);
	add_callers(facts, machine, !error && version.abi == PROFIL_ABI);
}

/* The process may lock any amount of memory. */
static bool may_lock(char *line, const char *format)
{
	unsigned long long effective = 0;

	return sscanf(line, format, &effective) == 1 &&
	       effective >> CAP_IPC_LOCK & 1;
}

static void add_memory(struct facts *facts, const struct machine *machine)
{
	unsigned long long kib = machine->memlock.rlim_cur / 1024;
	char path[PATH_MAX];

	make_path(machine, path, "/proc/self/status", NULL);
	add_flag(facts, "no_limit",
		 machine->memlock.rlim_cur == RLIM_INFINITY ||
			 has_line(path, may_lock, "CapEff: %llx"));
	add_flag(facts, "low_limit", kib < LEAST_KIB);
	add_flag(facts, "may_raise",
		 machine->memlock.rlim_max / 1024 >= USUAL_KIB);
	add(facts, "kib", true, "%llu", kib);
	add(facts, "pages", true, "%llu", kib / PAGE_KIB);
}

/* The service that records the machine */

/* Value of a property in the answer of systemctl; "" for none */
static const char *property(const struct machine *machine, const char *name,
			    char value[64])
{
	const char *line = strstr(machine->service, name);

	*value = '\0';
	if (line)
		sscanf(line + strlen(name), "=%63[^\n]", value);
	return value;
}

static void add_service(struct facts *facts, const struct machine *machine)
{
	char load[64], state[64], result[64], value[64];
	bool is_starting, is_enabled, has_failed;

	property(machine, "LoadState", load);
	add_text(facts, "unit", load);
	add_flag(facts, "unit_loaded", !strcmp(load, "loaded"));
	add_flag(facts, "unit_left_out",
		 !strcmp(load, "not-found") || !strcmp(load, "masked"));
	property(machine, "ActiveState", state);
	add_text(facts, "state", state);
	add_flag(facts, "recording", !strcmp(state, "active"));
	add_flag(facts, "stopped", !strcmp(state, "inactive"));
	is_starting = !strcmp(state, "activating");
	is_enabled =
		!strcmp(property(machine, "UnitFileState", value), "enabled");
	has_failed = strcmp(property(machine, "Result", result), "success");
	add_flag(facts, "enabled", is_enabled);
	add_flag(facts, "retrying", has_failed && is_starting);
	add(facts, "failure", has_failed && (is_starting || is_enabled), "%s",
	    result);
	add_text(facts, "status", property(machine, "ExecMainStatus", value));
}

static void add_others(struct facts *facts, const struct machine *machine)
{
	const char *servers = machine->servers ?: "";
	char paranoid[128], *shown = profil_debug_servers_shown(servers);

	add_text(facts, "version", machine->version);
	add_text(facts, "library", machine->library);
	add_text(facts, "directory", machine->library_directory);
	add_text(facts, "servers", shown);
	free(shown);
	add_text(facts, "server", profil_debug_server(machine->root));
	add_flag(facts, "debuginfod", machine->has_debuginfod);
	read_line(machine, "/proc/sys/kernel/perf_event_paranoid", paranoid);
	add_text(facts, "paranoid", paranoid);
	add_flag(facts, "perf_restricted", atoi(paranoid) > 1);
}

void profil_facts_read(struct facts *facts, const struct machine *machine)
{
	*facts = (struct facts){ 0 };
	add_kernel(facts, machine);
	add_installed(facts, machine);
	add_other_kernel(facts, machine);
	add_next_kernel(facts, machine);
	add_packages(facts, machine);
	add_driver(facts, machine);
	add_memory(facts, machine);
	add_service(facts, machine);
	add_others(facts, machine);
}

void profil_facts_free(struct facts *facts)
{
	for (size_t i = 0; i < facts->nr; i++)
		free(facts->array[i].text);
	free(facts->array);
}
