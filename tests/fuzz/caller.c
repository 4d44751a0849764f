// SPDX-License-Identifier: GPL-2.0-only
#include "caller.h"

#include <errno.h>
#include <sys/ioctl.h>

#include <linux/profil.h>

#if defined(__x86_64__)

#define IOCTL_32 54

/* A kernel without 32-bit programs kills one that executes int 0x80. */
static int call_32(int fd, unsigned long command, __u64 at)
{
	int result;

	asm volatile("int $0x80"
		     : "=a"(result)
		     : "a"(IOCTL_32), "b"(fd), "c"(command), "d"((__u32)at)
		     : "memory", "r8", "r9", "r10", "r11");
	return result;
}

bool caller_works(enum caller caller, int fd)
{
	return caller == CALLER_64 || call_32(fd, PROFIL_IOC_STOP, 0) == 0;
}

#else

static int call_32(int fd, unsigned long command, __u64 at)
{
	(void)fd;
	(void)command;
	(void)at;
	return -EOPNOTSUPP;
}

bool caller_works(enum caller caller, int fd)
{
	(void)fd;
	return caller == CALLER_64;
}

#endif

int call_as(enum caller caller, int fd, unsigned long command, __u64 at)
{
	if (caller == CALLER_32)
		return call_32(fd, command, at);
	return ioctl(fd, command, at) < 0 ? -errno : 0;
}
