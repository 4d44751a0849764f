// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * /dev/profil, for the time of one ioctl
 *
 * No descriptor outlives a call, so a program that closes or counts its
 * descriptors never meets one of ours. open and close are made as bare system
 * calls: the libc's are cancellation points, and a thread cancelled between
 * them would leave the descriptor behind.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/device.h"

/* A node that cannot be opened is, for this process, no driver. */
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
