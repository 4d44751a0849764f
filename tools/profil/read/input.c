// SPDX-License-Identifier: GPL-2.0-only
/* Input, read in pieces */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
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

/* Each sentence is a format for the numbers in struct read_details. */
static const char *const sentences[] = {
	[READ_EMPTY] =
		"empty file: the program is still running, or did not write it",
	[READ_PROGRAM] =
		"program or library: name the file that it has written, too",
	[READ_NEITHER] = "not a profil.data, gmon.out or mon.out file",
	[READ_VERSION] = "the version is %lld, not 1",
	[READ_NOT_BSD] = "the version is not that of BSD",
	[READ_TAG] = "a record has the unknown tag %lld",
	[READ_BLOCKS] = "a record has %lld basic blocks",
	[READ_NO_HISTOGRAM] = "no histogram",
	[READ_NO_SECONDS] = "a histogram is not in seconds",
	[READ_RANGE] = "a histogram has the empty range from 0x%llx to 0x%llx",
	[READ_BINS] = "a histogram has %lld bins",
	[READ_MANY_BINS] = "a histogram has %lld bins for %llu addresses",
	[READ_RATE] = "a histogram has %lld samples a second",
	[READ_LENGTH] =
		"the length of header and bins, %lld bytes, is impossible",
	[READ_NOT_16] = "counters do not have 16 bits",
	[READ_NEGATIVE_ARC] = "an arc has a negative number of calls",
	[READ_MON_RANGE] = "the range from 0x%llx to 0x%llx is empty",
	[READ_MON_FUNCTIONS] =
		"the file is too short for the calls of %llu functions",
	[READ_MON_NEGATIVE] = "a function has a negative number of calls",
	[READ_MON_HALF_BIN] = "the file ends within a bin",
	[READ_MON_NO_BINS] = "no bins",
	[READ_MON_MANY_BINS] = "%llu bins for %llu addresses",
	[READ_OTHER_KIND] = "a gmon.out and a mon.out have no sum",
	[READ_OTHER_WORD] = "the size of addresses differs from that before",
	[READ_OTHER_RATE] = "the sampling rate differs from that before",
	[READ_OVERLAP] = "a histogram overlaps one of a different range",
	[READ_OTHER_BINS] =
		"two histograms of one range differ in their number of bins",
	[READ_MANY_SAMPLES] = "too many samples to add up",
	[READ_MANY_CALLS] = "too many calls to add up",
};

static const char *const parts[] = {
	[PART_HEADER] = "the header",
	[PART_RECORD] = "a record",
	[PART_HISTOGRAM_HEAD] = "the head of a histogram",
	[PART_HISTOGRAM] = "a histogram",
	[PART_ARC] = "an arc",
	[PART_BLOCKS_HEAD] = "the head of basic blocks",
	[PART_BLOCKS] = "basic blocks",
	[PART_CALLS] = "the calls",
	[PART_BINS] = "the bins",
};

void profil_read_error_text(char text[READ_ERROR_TEXT], enum read_error error,
			    const struct read_details *details)
{
	char sentence[128];

	if (error == READ_CUT)
		snprintf(sentence, sizeof(sentence), "the file ends within %s",
			 parts[details->part]);
	else
		snprintf(sentence, sizeof(sentence), sentences[error],
			 details->numbers[0], details->numbers[1]);
	if (details->kind)
		snprintf(text, READ_ERROR_TEXT, "malformed %s: %s",
			 details->kind, sentence);
	else if (error > READ_NEITHER)
		snprintf(text, READ_ERROR_TEXT, "cannot be added up: %s",
			 sentence);
	else
		snprintf(text, READ_ERROR_TEXT, "%s", sentence);
}
