// SPDX-License-Identifier: GPL-2.0-only
/* The device /dev/profil, as the command itself uses it */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "record/device.h"
#include "util/exit_status.h"

#define SECOND 1000000000ULL
#define MODULE "/sys/module/profil"
#define RESTRICTED MODULE "/parameters/restrict_fastprof"

/* A container may lack the device of a module that is loaded. */
static void __attribute__((noreturn)) refuse_missing(void)
{
	if (!access(MODULE, F_OK))
		errx(EXIT_PROFIL,
		     "no %s here, though the module is loaded: profil doctor has the remedy",
		     PROFIL_DEVICE);
	errx(EXIT_PROFIL,
	     "no %s, so the module is not loaded: sudo modprobe profil, or profil doctor for the reason",
	     PROFIL_DEVICE);
}

static bool ask(int fd, struct profil_version *version)
{
	memset(version, 0, sizeof(*version));
	version->size = sizeof(*version);
	return !ioctl(fd, PROFIL_IOC_VERSION, version);
}

int profil_device_open(struct profil_version *version)
{
	int fd = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd >= 0 && ask(fd, version))
		return fd;
	if (fd >= 0)
		errx(EXIT_PROFIL,
		     "%s is not the device of profil (%s): sudo rm %s; sudo modprobe profil",
		     PROFIL_DEVICE, strerror(errno), PROFIL_DEVICE);
	if (errno == EACCES || errno == EPERM)
		errx(EXIT_PROFIL,
		     "this user may not open %s: sudo chmod 666 %s",
		     PROFIL_DEVICE, PROFIL_DEVICE);
	if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
		refuse_missing();
	err(EXIT_PROFIL, "cannot open %s", PROFIL_DEVICE);
}

unsigned int profil_device_tick_hz(void)
{
	int fd = open(PROFIL_DEVICE, O_RDONLY | O_CLOEXEC);
	struct profil_version version;
	unsigned int hz = 0;

	if (fd < 0)
		return 0;
	if (ask(fd, &version) && version.tick_ns)
		hz = (SECOND + version.tick_ns / 2) / version.tick_ns;
	close(fd);
	return hz;
}

/* A parameter of the module allows or forbids periods below the tick. */
static void refuse(const struct profil_version *version, long hz)
{
	unsigned long long most = SECOND / version->min_period_ns;

	if (version->min_period_ns == version->tick_ns && hz > 0)
		errx(EXIT_PROFIL,
		     "-F %ld: more than %llu is switched off: echo 0 | sudo tee %s",
		     hz, most, RESTRICTED);
	errx(EXIT_PROFIL, "-F %ld: the driver takes 1 to %llu samples a second",
	     hz, most);
}

uint64_t profil_device_period(const struct profil_version *version, long hz)
{
	if (hz < 1 || SECOND / hz < version->min_period_ns)
		refuse(version, hz);
	return SECOND / hz;
}
