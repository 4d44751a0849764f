// SPDX-License-Identifier: GPL-2.0-only
/* A file of profiling data, read piece by piece */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/input.h"
#include "util/exit_status.h"
#include "util/memory.h"

/* Bytes that are read at once */
#define WINDOW 65536

/* A pipe may have no end, and its content takes memory. */
#define MAX_PIPE_MIB 256

/* A device may have no end. */
static int open_checked(const char *path, struct stat *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, status))
		err(EXIT_PROFIL, "cannot read %s", path);
	if (!S_ISREG(status->st_mode) && !S_ISFIFO(status->st_mode))
		errx(EXIT_PROFIL,
		     "%s is not a file: name a gmon.out or mon.out", path);
	return fd;
}

/* A pipe cannot be read twice, as may be needed: a file in memory can. */
static int copy_pipe(int from, const char *path)
{
	int to = memfd_create("profil-report", MFD_CLOEXEC);
	char bytes[4096];
	size_t size = 0;
	ssize_t got;

	if (to < 0)
		err(EXIT_PROFIL, "cannot make a file in memory");
	while ((got = read(from, bytes, sizeof(bytes)))) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			err(EXIT_PROFIL, "cannot read %s", path);
		size += got;
		if (size > (size_t)MAX_PIPE_MIB << 20)
			errx(EXIT_PROFIL,
			     "%s: more than %d MiB from a pipe: write them to a file, and name the file",
			     path, MAX_PIPE_MIB);
		if (write(to, bytes, got) != got)
			err(EXIT_PROFIL, "cannot write a file in memory");
	}
	close(from);
	return to;
}

/* It is read, not mapped: a mapping would end with a file that is cut off. */
void profil_datafile_open(struct datafile *file, const char *path)
{
	struct stat status;
	int fd = open_checked(path, &status);

	if (S_ISFIFO(status.st_mode)) {
		fd = copy_pipe(fd, path);
		if (fstat(fd, &status))
			err(EXIT_PROFIL, "cannot read %s", path);
	}
	*file = (struct datafile){
		.path = path,
		.fd = fd,
		.window = profil_grow(NULL, WINDOW, 1),
		.size = status.st_size,
	};
}

void profil_datafile_memory(struct datafile *file, const char *path,
			    const void *bytes, size_t size)
{
	*file = (struct datafile){
		.path = path,
		.fd = -1,
		.window = (unsigned char *)bytes,
		.held = size,
		.size = size,
	};
}

void profil_datafile_close(struct datafile *file)
{
	if (file->fd < 0)
		return;
	close(file->fd);
	free(file->window);
}

/* Have the window begin at @at; it may be cut off by now. */
static void refill(struct datafile *file, size_t at)
{
	ssize_t got;

	file->start = at;
	file->held = 0;
	do {
		got = pread(file->fd, file->window + file->held,
			    WINDOW - file->held, at + file->held);
		if (got > 0)
			file->held += got;
	} while ((got > 0 && file->held < WINDOW) ||
		 (got < 0 && errno == EINTR));
}

const unsigned char *profil_datafile_peek(struct datafile *file, size_t at,
					  size_t size)
{
	if (at > file->size || size > file->size - at)
		return NULL;
	if (file->fd >= 0 &&
	    (at < file->start || at + size > file->start + file->held))
		refill(file, at);
	if (at + size > file->start + file->held)
		return NULL;
	return file->window + (at - file->start);
}

const unsigned char *profil_datafile_take(struct datafile *file, size_t size,
					  const char *part)
{
	const unsigned char *taken = profil_datafile_peek(file, file->at, size);

	if (taken)
		file->at += size;
	else
		profil_refuse(file, "it ends in the middle of %s", part);
	return taken;
}

bool profil_datafile_skip(struct datafile *file, size_t size, const char *part)
{
	if (size > profil_datafile_left(file))
		return profil_refuse(file, "it ends in the middle of %s", part);
	file->at += size;
	return true;
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
