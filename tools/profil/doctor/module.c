// SPDX-License-Identifier: GPL-2.0-only
/* Check of the module: loaded, installed, or missing */
#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/machine.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const char headers[] = "install the headers of Linux %s; ";

/* End of a signed module */
static const char signature[] = "~Module signature appended~\n";

/* Directories that make install, DKMS and packages use */
static const char *const directories[] = {
	"updates", "updates/dkms", "extra", "misc", "kernel/drivers/misc",
};

static const char *const suffixes[] = { "", ".xz", ".zst", ".gz" };

/* Find profil.ko for the kernel @release; the path is below the root. */
static bool install_find(const struct machine *machine, const char *release,
			 char path[PATH_MAX])
{
	for (size_t i = 0; i < COUNT(directories) * COUNT(suffixes); i++) {
		int length = snprintf(path, PATH_MAX,
				      "/lib/modules/%s/%s/profil.ko%s", release,
				      directories[i / COUNT(suffixes)],
				      suffixes[i % COUNT(suffixes)]);

		if (length < PATH_MAX &&
		    profil_machine_has(machine, "%s", path))
			return true;
	}
	return false;
}

static void consider(const struct machine *machine, const char *name,
		     char release[NAME_MAX + 1])
{
	char path[PATH_MAX];

	if (*name == '.' || !strcmp(name, machine->release) ||
	    (*release && strverscmp(name, release) < 0))
		return;
	if (install_find(machine, name, path))
		snprintf(release, NAME_MAX + 1, "%s", name);
}

/* Latest release of another kernel that profil.ko is installed for */
static bool install_other(const struct machine *machine,
			  char release[NAME_MAX + 1])
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;

	*release = '\0';
	if (!profil_machine_path(machine, path, sizeof(path), "/lib/modules"))
		return false;
	directory = opendir(path);
	if (!directory)
		return false;
	while ((entry = readdir(directory)))
		consider(machine, entry->d_name, release);
	closedir(directory);
	return *release;
}

/* depmod has seen the module of this kernel. */
static bool install_is_listed(const struct machine *machine)
{
	char path[PATH_MAX], line[4096];
	bool found = false;
	FILE *file;

	snprintf(path, sizeof(path), "/lib/modules/%s/modules.dep",
		 machine->release);
	file = profil_machine_open(machine, path);
	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file)) {
		line[strcspn(line, ":")] = '\0';
		found = strstr(line, "/profil.ko");
	}
	fclose(file);
	return found;
}

/* False if the file @path has no signature; a compressed file may have one. */
static bool install_is_signed(const struct machine *machine, const char *path)
{
	char end[sizeof(signature)] = "";
	size_t length = strlen(path);
	bool is_signed = false;
	FILE *file;

	if (length < 3 || strcmp(path + length - 3, ".ko"))
		return true;
	file = profil_machine_open(machine, path);
	if (!file)
		return true;
	if (!fseek(file, 1 - (long)sizeof(signature), SEEK_END) &&
	    fread(end, sizeof(signature) - 1, 1, file) == 1)
		is_signed = !memcmp(end, signature, sizeof(signature) - 1);
	fclose(file);
	return is_signed;
}

/* The kernel is that of a package; other kernels have no package of headers. */
static bool is_packaged(const struct machine *machine)
{
	return profil_machine_has(machine,
				  "/var/lib/dpkg/info/linux-image-%s.list",
				  machine->release);
}

/* The command that installs the headers of this kernel */
static void mend_headers(const struct machine *machine, struct finding *finding)
{
	const char *release = machine->release;

	if (profil_machine_has(machine, "/lib/modules/%s/build/Makefile",
			       release))
		return;
	if (is_packaged(machine))
		profil_finding_mend(finding,
				    "sudo apt install linux-headers-%s && ",
				    release);
	else if (profil_machine_has(machine, "/usr/bin/dnf"))
		profil_finding_mend(finding,
				    "sudo dnf install kernel-devel-%s && ",
				    release);
	else if (profil_machine_has(machine, "/usr/bin/pacman"))
		profil_finding_mend(finding,
				    "sudo pacman -S linux-headers && ");
	else
		profil_finding_mend(finding, headers, release);
}

/* Add the command that installs the module for this kernel. */
static void install_mend(const struct machine *machine, struct finding *finding)
{
	mend_headers(machine, finding);
	if (profil_machine_has(machine, "/usr/src/profil-%s/dkms.conf",
			       machine->version))
		profil_finding_mend(finding, "sudo dkms autoinstall && ");
	else if (profil_machine_has(machine, "/var/lib/dpkg/info/profil.list"))
		profil_finding_mend(finding,
				    "sudo apt install profil-dkms && ");
	else
		profil_finding_mend(finding, "make && sudo make install && ");
	profil_finding_mend(finding, "sudo modprobe profil");
}

/*
 * Configuration of modprobe: files *.conf of the directories of modprobe.d(5)
 *
 * "install profil COMMAND" executes a command in place of loading the module.
 * "blacklist profil" keeps the module from being loaded at boot.
 */

/**
 * struct modprobe_rule - a line of a file of modprobe.d(5) about profil
 * @word: the first word of the line, blacklist or install
 * @file: path of the file
 * @replaces: modprobe executes a command in place of loading the module
 */
struct modprobe_rule {
	const char *word;
	char file[PATH_MAX];
	bool replaces;
};

#define BLANKS " \t\n"

/* A file hides those of the same name in later directories. */
static const char *const configurations[] = {
	"/etc/modprobe.d",     "/run/modprobe.d", "/usr/local/lib/modprobe.d",
	"/usr/lib/modprobe.d", "/lib/modprobe.d",
};

/* A command may load the module after all. */
static bool loads(const char *command)
{
	if (!command) /* the rest of a line, for some strtok_r() */
		return false;
	return strstr(command, "--ignore-install") || strstr(command, " -i ");
}

/* Read the words of @line, which is changed; false if it has no rule. */
static bool read_rule(char *line, struct modprobe_rule *rule)
{
	char *rest = line;
	char *word = strtok_r(rest, BLANKS, &rest);
	char *module = word ? strtok_r(NULL, BLANKS, &rest) : NULL;

	if (!module || strcmp(module, "profil"))
		return false;
	rule->replaces = !strcmp(word, "install");
	rule->word = rule->replaces ? "install" : "blacklist";
	if (rule->replaces)
		return !loads(rest);
	return !strcmp(word, "blacklist");
}

static bool read_rules(const struct machine *machine, const char *path,
		       struct modprobe_rule *rule)
{
	FILE *file = profil_machine_open(machine, path);
	bool found = false;
	char line[4096];

	if (!file)
		return false;
	while (!found && fgets(line, sizeof(line), file))
		found = read_rule(line, rule);
	fclose(file);
	if (found)
		snprintf(rule->file, sizeof(rule->file), "%s", path);
	return found;
}

static bool is_hidden(const struct machine *machine, size_t directory,
		      const char *name)
{
	for (size_t i = 0; i < directory; i++)
		if (profil_machine_has(machine, "%s/%s", configurations[i],
				       name))
			return true;
	return false;
}

static bool is_configuration(const char *name)
{
	size_t length = strlen(name);

	return length > 5 && !strcmp(name + length - 5, ".conf");
}

/* A rule that replaces the loading is preferred. */
static void read_directory(const struct machine *machine, size_t index,
			   struct modprobe_rule *rule)
{
	struct modprobe_rule other;
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *directory;

	if (!profil_machine_path(machine, path, sizeof(path), "%s",
				 configurations[index]))
		return;
	directory = opendir(path);
	if (!directory)
		return;
	while ((entry = readdir(directory))) {
		if (!is_configuration(entry->d_name) ||
		    is_hidden(machine, index, entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", configurations[index],
			 entry->d_name);
		if (!rule->replaces && read_rules(machine, path, &other))
			*rule = other;
	}
	closedir(directory);
}

/* Find the line that keeps profil from being loaded; false if there is none. */
static bool modprobe_find(const struct machine *machine,
			  struct modprobe_rule *rule)
{
	*rule = (struct modprobe_rule){ 0 };
	for (size_t i = 0; i < COUNT(configurations); i++)
		read_directory(machine, i, rule);
	return rule->word;
}

/* First release of Linux that the module supports */
#define LEAST_MAJOR 6
#define LEAST_MINOR 1

static const char unsigned_module[] =
	"not loaded: this kernel takes signed modules only, and %s has no signature";

static const char key[] =
	"not loaded: this kernel takes %s only if the key of its signature is enrolled";

static const char enroll[] =
	"sudo mokutil --import /var/lib/dkms/mok.pub; then reboot";

static const char other_kernel[] =
	"missing: this kernel is %s, profil.ko is installed for %s";

static const char not_installed[] =
	"missing: profil.ko is not installed for %s";

static const char host[] =
	"not loaded: the kernel belongs to the host of this container";

static const char too_old[] =
	"missing: this kernel is %s, and the module needs Linux %d.%d or later";

static bool is_too_old(const char *release)
{
	int major, minor;

	return sscanf(release, "%d.%d", &major, &minor) == 2 &&
	       (major < LEAST_MAJOR ||
		(major == LEAST_MAJOR && minor < LEAST_MINOR));
}

static void check_version(const struct machine *machine,
			  struct finding *finding)
{
	char loaded[64] = "";

	profil_machine_read(machine, "/sys/module/profil/version", loaded,
			    sizeof(loaded));
	if (!strcmp(loaded, machine->version)) {
		profil_finding_good(finding, "loaded, version %s", loaded);
		return;
	}
	profil_finding_wrong(finding,
			     "version %s is loaded, and the command is %s",
			     *loaded ? loaded : "unknown", machine->version);
	profil_finding_mend(finding,
			    "sudo modprobe -r profil && sudo modprobe profil");
}

/* Lockdown and a parameter of the kernel restrict modules to signed ones. */
static bool needs_signature(const struct machine *machine)
{
	char line[128];

	if (profil_machine_read(machine, "/sys/kernel/security/lockdown", line,
				sizeof(line)) &&
	    !strstr(line, "[none]"))
		return true;
	return profil_machine_read(machine,
				   "/sys/module/module/parameters/sig_enforce",
				   line, sizeof(line)) &&
	       !strcmp(line, "Y");
}

static void check_signature(const struct machine *machine,
			    struct finding *finding, const char *path)
{
	if (!install_is_signed(machine, path)) {
		profil_finding_wrong(finding, unsigned_module, path);
		profil_finding_mend(finding, "sudo make install-dkms && ");
	} else {
		profil_finding_wrong(finding, key, path);
		profil_finding_mend(finding, "sudo modprobe profil || ");
	}
	profil_finding_mend(finding, enroll);
}

static const char replaced[] =
	"not loaded: modprobe executes a command of %s in place of loading it";

static const char blacklisted[] =
	"not loaded: %s keeps the module from being loaded at boot";

static const char delete_rule[] =
	"sudo sed -Ei '/^[ \t]*%s[ \t]+profil([ \t]|$)/d' %s && ";

/* False if no rule keeps the module from being loaded. */
static bool check_rules(const struct machine *machine, struct finding *finding)
{
	struct modprobe_rule rule;

	if (!modprobe_find(machine, &rule))
		return false;
	profil_finding_wrong(finding, rule.replaces ? replaced : blacklisted,
			     rule.file);
	profil_finding_mend(finding, delete_rule, rule.word, rule.file);
	return true;
}

static void check_installed(const struct machine *machine,
			    struct finding *finding, const char *path)
{
	if (needs_signature(machine)) {
		check_signature(machine, finding, path);
		return;
	}
	if (!check_rules(machine, finding))
		profil_finding_wrong(finding, "not loaded: %s is installed",
				     path);
	if (!install_is_listed(machine))
		profil_finding_mend(finding, "sudo depmod -a && ");
	profil_finding_mend(finding, "sudo modprobe profil");
}

static void check_missing(const struct machine *machine,
			  struct finding *finding)
{
	char other[NAME_MAX + 1];

	if (install_other(machine, other))
		profil_finding_wrong(finding, other_kernel, machine->release,
				     other);
	else
		profil_finding_wrong(finding, not_installed, machine->release);
	install_mend(machine, finding);
}

void profil_check_module(const struct machine *machine, struct finding *finding)
{
	char path[PATH_MAX];

	if (profil_machine_is_loaded(machine)) {
		check_version(machine, finding);
	} else if (profil_machine_is_container(machine)) {
		profil_finding_wrong(finding, host);
		profil_finding_mend(finding, "profil doctor, on the host");
	} else if (is_too_old(machine->release)) {
		profil_finding_wrong(finding, too_old, machine->release,
				     LEAST_MAJOR, LEAST_MINOR);
	} else if (install_find(machine, machine->release, path)) {
		check_installed(machine, finding, path);
	} else {
		check_missing(machine, finding);
	}
}
