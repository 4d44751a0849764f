// SPDX-License-Identifier: GPL-2.0-only
/* Kind of a file, by its first bytes */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "report/kind.h"

/* O_NONBLOCK: opening another kind of file may wait. */
static ssize_t read_begin(const char *path, void *bytes, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return -1;
	got = pread(fd, bytes, size, 0);
	close(fd);
	return got;
}

/*
 * A FIFO is not opened: closing it would end the process that writes to it.
 */
bool profil_kind_is_program(const char *path)
{
	char mark[SELFMAG] = "";
	struct stat status;

	return path && !stat(path, &status) && S_ISREG(status.st_mode) &&
	       read_begin(path, mark, sizeof(mark)) == sizeof(mark) &&
	       !memcmp(mark, ELFMAG, SELFMAG);
}

/* tee() copies the bytes of a pipe and leaves them there. */
static ssize_t copy_begin(int pipe_fd, void *bytes, size_t size)
{
	ssize_t got = -1;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	if (tee(pipe_fd, ends[1], size, 0) > 0)
		got = read(ends[0], bytes, size);
	close(ends[0]);
	close(ends[1]);
	return got;
}

/* The descriptor of a pipe stays open, so that its writer continues. */
bool profil_kind_is_data(const char *path)
{
	char bytes[DATA_MARK] = "";
	struct stat status;
	ssize_t got = -1;
	int fd;

	if (stat(path, &status))
		return false;
	if (S_ISREG(status.st_mode)) {
		got = read_begin(path, bytes, sizeof(bytes));
	} else if (S_ISFIFO(status.st_mode)) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		got = copy_begin(fd, bytes, sizeof(bytes));
	}
	return got > 0 && profil_data_is(bytes, got);
}
