// SPDX-License-Identifier: GPL-2.0-only
/* Input, read in pieces */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "read/input.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/memory.h"

/* Bytes that are read at once */
#define WINDOW 65536

/* A pipe may have no end, and its content takes memory. */
#define MAX_PIPE_MIB 256

/* Other kinds of files, such as devices, may have no end. */
static int open_checked(const char *path, struct stat *status)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	path = profil_file_name(path);
	if (fd < 0 || fstat(fd, status))
		err(EXIT_PROFIL, "cannot read %s", path);
	if (!S_ISREG(status->st_mode) && !S_ISFIFO(status->st_mode))
		errx(EXIT_PROFIL,
		     "%s is not a file: name a profil.data, gmon.out or mon.out",
		     path);
	return fd;
}

void profil_input_check(const char *path)
{
	struct stat status;

	close(open_checked(path, &status));
}

int profil_input_copy_pipe(int from, const char *path)
{
	int to = memfd_create("profil-report", MFD_CLOEXEC);
	char bytes[4096];
	size_t size = 0;
	ssize_t got;

	if (to < 0)
		err(EXIT_PROFIL, "cannot create a file in memory");
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

/* The file is not mapped: reading a truncated mapping would raise SIGBUS. */
void profil_input_open(struct input *input, const char *path)
{
	struct stat status;
	int fd = open_checked(path, &status);

	if (S_ISFIFO(status.st_mode)) {
		fd = profil_input_copy_pipe(fd, path);
		if (fstat(fd, &status))
			err(EXIT_PROFIL, "cannot read %s", path);
	}
	*input = (struct input){
		.fd = fd,
		.window = profil_grow(NULL, WINDOW, 1),
		.size = status.st_size,
	};
}

void profil_input_memory(struct input *input, const void *bytes, size_t size)
{
	*input = (struct input){
		.fd = -1,
		.window = (unsigned char *)bytes,
		.held = size,
		.size = size,
	};
}

void profil_input_close(struct input *input)
{
	if (input->fd < 0)
		return;
	close(input->fd);
	free(input->window);
}

/* Fill the window from offset @at; a truncated file leaves it shorter. */
static void refill(struct input *input, size_t at)
{
	ssize_t got;

	input->start = at;
	input->held = 0;
	do {
		got = pread(input->fd, input->window + input->held,
			    WINDOW - input->held, at + input->held);
		if (got > 0)
			input->held += got;
	} while ((got > 0 && input->held < WINDOW) ||
		 (got < 0 && errno == EINTR));
}

const unsigned char *profil_input_peek(struct input *input, size_t at,
				       size_t size)
{
	if (at > input->size || size > input->size - at)
		return NULL;
	if (input->fd >= 0 &&
	    (at < input->start || at + size > input->start + input->held))
		refill(input, at);
	if (at + size > input->start + input->held)
		return NULL;
	return input->window + (at - input->start);
}

const unsigned char *profil_input_take(struct input *input, size_t size,
				       enum read_part part)
{
	const unsigned char *taken = profil_input_peek(input, input->at, size);

	if (taken)
		input->at += size;
	else
		profil_input_cut(input, part);
	return taken;
}

enum read_error profil_input_skip(struct input *input, size_t size,
				  enum read_part part)
{
	if (size > profil_input_left(input))
		return profil_input_cut(input, part);
	input->at += size;
	return READ_OK;
}

enum read_error profil_input_cut(struct input *input, enum read_part part)
{
	input->details.part = part;
	return READ_CUT;
}

enum read_error profil_input_refuse(struct input *input, enum read_error error,
				    unsigned long long one,
				    unsigned long long other)
{
	input->details.numbers[0] = one;
	input->details.numbers[1] = other;
	return error;
}

int32_t profil_input_int(const unsigned char *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

/* @size is 4 or 8. */
uint64_t profil_input_number(const unsigned char *bytes, size_t size)
{
	uint64_t number;

	if (size == 4)
		return (uint32_t)profil_input_int(bytes);
	memcpy(&number, bytes, sizeof(number));
	return number;
}

uint64_t profil_input_word(const struct input *input,
			   const unsigned char *bytes)
{
	return profil_input_number(bytes, input->word);
}
