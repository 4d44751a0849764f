// SPDX-License-Identifier: GPL-2.0-only
/* Check of the device: there, open to this user, and the driver's */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doctor/checks.h"

static const char container[] = "docker (or podman) run --device %s ...";

static const char interface[] =
	"the driver has version %u of its interface, the command %u";

static void mend_container(struct finding *finding)
{
	profil_finding_mend(finding, container, PROFIL_DEVICE);
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
