// SPDX-License-Identifier: GPL-2.0-only
/* Check of the module: loaded, installed, or missing */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"
#include "doctor/install.h"
#include "doctor/modprobe.h"

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
	if (!profil_install_is_signed(machine, path)) {
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

	if (!profil_modprobe_find(machine, &rule))
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
	if (!profil_install_is_listed(machine))
		profil_finding_mend(finding, "sudo depmod -a && ");
	profil_finding_mend(finding, "sudo modprobe profil");
}

static void check_missing(const struct machine *machine,
			  struct finding *finding)
{
	char other[NAME_MAX + 1];

	if (profil_install_other(machine, other))
		profil_finding_wrong(finding, other_kernel, machine->release,
				     other);
	else
		profil_finding_wrong(finding, not_installed, machine->release);
	profil_install_mend(machine, finding);
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
	} else if (profil_install_find(machine, machine->release, path)) {
		check_installed(machine, finding, path);
	} else {
		check_missing(machine, finding);
	}
}
