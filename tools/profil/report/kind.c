// SPDX-License-Identifier: GPL-2.0-only
/* Kind of a file, by its first bytes */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "report/kind.h"

/*
 * Read the first @size bytes; false if there are less. A FIFO is not opened:
 * closing it would end the process that writes to it.
 */
static bool read_begin(const char *path, void *bytes, size_t size)
{
	struct stat status;
	ssize_t got;
	int fd;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return false;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return false;
	got = pread(fd, bytes, size, 0);
	close(fd);
	return got == (ssize_t)size;
}

bool profil_kind_is_program(const char *path)
{
	char mark[SELFMAG];

	return path && read_begin(path, mark, sizeof(mark)) &&
	       !memcmp(mark, ELFMAG, SELFMAG);
}

bool profil_kind_is_data(const char *path)
{
	char bytes[DATA_MARK];

	return read_begin(path, bytes, sizeof(bytes)) &&
	       profil_data_is(bytes, sizeof(bytes));
}
