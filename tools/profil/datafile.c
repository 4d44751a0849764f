// SPDX-License-Identifier: GPL-2.0-only
/* A file of profiling data in memory */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "datafile.h"
#include "memory.h"
#include "status.h"

#define FIRST_ROOM 65536

/* A device may have no end. */
static int open_checked(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status))
		err(EXIT_PROFIL, "cannot read %s", path);
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
		errx(EXIT_PROFIL,
		     "%s is not a file: name a gmon.out or mon.out", path);
	return fd;
}

/* It is read, not mapped: a mapping would end with a file that is cut off. */
void profil_datafile_open(struct datafile *file, const char *path)
{
	int fd = open_checked(path);
	unsigned char *bytes = NULL;
	size_t size = 0, room = 0;
	ssize_t got;

	do {
		if (size == room) {
			room = room ? 2 * room : FIRST_ROOM;
			bytes = profil_grow(bytes, room, 1);
		}
		got = read(fd, bytes + size, room - size);
		if (got > 0)
			size += got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	if (got < 0)
		err(EXIT_PROFIL, "cannot read %s", path);
	close(fd);
	*file = (struct datafile){
		.path = path,
		.bytes = bytes,
		.size = size,
	};
}

void profil_datafile_close(struct datafile *file)
{
	free((void *)file->bytes);
}

const unsigned char *profil_datafile_take(struct datafile *file, size_t size,
					  const char *part)
{
	const unsigned char *taken = file->bytes + file->at;

	if (size > profil_datafile_left(file)) {
		profil_refuse(file, "it ends in the middle of %s", part);
		return NULL;
	}
	file->at += size;
	return taken;
}

bool profil_refuse(struct datafile *file, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(file->wrong, sizeof(file->wrong), format, arguments);
	va_end(arguments);
	return false;
}

bool profil_accept(struct datafile *file, const char *wrong)
{
	return !wrong || profil_refuse(file, "%s", wrong);
}

int32_t profil_datafile_int(const unsigned char *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

/* Of 4 or 8 bytes */
uint64_t profil_datafile_number(const unsigned char *bytes, size_t size)
{
	uint64_t number;

	if (size == 4)
		return (uint32_t)profil_datafile_int(bytes);
	memcpy(&number, bytes, sizeof(number));
	return number;
}

uint64_t profil_datafile_word(const struct datafile *file,
			      const unsigned char *bytes)
{
	return profil_datafile_number(bytes, file->word);
}
