// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Buffered writing of a file
 *
 * The system calls are bare for the reason given in device.c, and because files
 * are also written from within mcount(), which must not call the libc.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gprof/mcount/outfile.h"
#include "gprof/mcount/system_call.h"

int profil_outfile_fail(struct outfile *file, int error)
{
	if (!file->error)
		file->error = error;
	return file->error;
}

static void flush(struct outfile *file)
{
	size_t done = 0;

	while (!file->error && done < file->used) {
		ssize_t some = syscall(SYS_write, file->fd, file->buffer + done,
				       file->used - done);

		if (some >= 0)
			done += some;
		else if (errno != EINTR)
			profil_outfile_fail(file, -errno);
	}
	file->used = 0;
}

int profil_outfile_put(struct outfile *file, const void *data, size_t size)
{
	const unsigned char *byte = data;

	for (size_t i = 0; i < size; i++) {
		if (file->used == sizeof(file->buffer))
			flush(file);
		file->buffer[file->used++] = byte[i];
	}
	return file->error;
}

/* Not O_TRUNC: a file that is not regular stays unchanged. */
static int open_empty(const char *path)
{
	int fd = syscall(SYS_openat, AT_FDCWD, path,
			 O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC |
				 O_NOCTTY | O_NONBLOCK,
			 0666);
	struct stat status;
	int error = 0;

	if (fd < 0)
		return -errno;
	if (syscall(CALL_FSTAT, fd, &status))
		error = -errno;
	else if (!S_ISREG(status.st_mode))
		error = -EINVAL;
	else if (syscall(SYS_ftruncate, fd, 0))
		error = -errno;
	if (!error)
		return fd;
	syscall(SYS_close, fd);
	return error;
}

int profil_outfile_open(struct outfile *file, const char *path)
{
	file->fd = open_empty(path);
	file->error = file->fd < 0 ? file->fd : 0;
	file->used = 0;
	return file->error;
}

int profil_outfile_close(struct outfile *file)
{
	if (file->fd < 0)
		return file->error;
	flush(file);
	if (syscall(SYS_close, file->fd) < 0)
		profil_outfile_fail(file, -errno);
	file->fd = -1;
	return file->error;
}
