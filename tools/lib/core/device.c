// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /dev/profil, opened for one ioctl at a time
 *
 * No descriptor outlives a call, so a program that closes or counts its
 * descriptors never finds one of the library's. open and close are bare system
 * calls: the libc's functions are cancellation points, and a thread cancelled
 * between the two would leave the descriptor open.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/device.h"

/* A device node that this process cannot open counts as an absent driver. */
static bool means_absent(int error)
{
	return error == ENOENT || error == ENOTDIR || error == EACCES ||
	       error == EPERM || error == ENXIO || error == ENODEV;
}

static int open_device(void)
{
	int fd = syscall(SYS_openat, AT_FDCWD, PROFIL_DEVICE,
			 O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0);

	if (fd >= 0)
		return fd;
	return means_absent(errno) ? -ENODEV : -errno;
}

int profil_device(unsigned long command, void *argument)
{
	int fd = open_device();
	int ret = 0;

	if (fd < 0)
		return fd;
	if (ioctl(fd, command, argument) < 0)
		ret = errno == ENOTTY ? -ENODEV : -errno;
	syscall(SYS_close, fd);
	return ret;
}

int profil_device_version(struct profil_version *version)
{
	memset(version, 0, sizeof(*version));
	version->size = sizeof(*version);
	return profil_device(PROFIL_IOC_VERSION, version);
}
