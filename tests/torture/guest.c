// SPDX-License-Identifier: GPL-2.0-only
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "module.h"

const char *guest_missing(void)
{
	return can_load() && !access("/settings", R_OK) ?
		       NULL :
		       "this is not the guest of tests/qemu";
}

int guest_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), error = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, text, strlen(text)) < 0)
		error = -errno;
	close(fd);
	return error;
}
