// SPDX-License-Identifier: GPL-2.0-only
/*
 * many_programs DIRECTORY FIRST LAST TIMES: writes the programs FIRST to LAST to
 * DIRECTORY, copies of day_program with build IDs of their own, and executes them one
 * after the other, TIMES times. A program that is there already is not written.
 */
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The build ID of day_program, whose last bytes become the number */
static const char build_id[] = "program of a day";
#define ID_BYTES (sizeof(build_id) - 1)

static char *image;
static size_t image_bytes;
static char *number;

/* Read the program beside this one. */
static void read_image(const char *path)
{
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &status))
		err(1, "%s", path);
	image_bytes = (size_t)status.st_size;
	image = malloc(image_bytes);
	if (!image || read(fd, image, image_bytes) != (ssize_t)image_bytes)
		err(1, "%s", path);
	close(fd);
	number = memmem(image, image_bytes, build_id, ID_BYTES);
	if (!number)
		errx(1, "%s has another build ID", path);
	number += ID_BYTES - sizeof(int);
}

static void write_program(const char *path, int nr)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0700);

	if (fd < 0)
		return;
	memcpy(number, &nr, sizeof(nr));
	if (write(fd, image, image_bytes) != (ssize_t)image_bytes)
		err(1, "%s", path);
	close(fd);
}

static void execute(char *path)
{
	char *arguments[2] = { path };
	int status;
	pid_t pid;

	if (posix_spawn(&pid, path, NULL, NULL, arguments, NULL) ||
	    waitpid(pid, &status, 0) != pid || status)
		errx(1, "%s has not run", path);
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	int nr, times;

	if (argc != 5)
		errx(1, "usage: many_programs DIRECTORY FIRST LAST TIMES");
	snprintf(path, sizeof(path), "%.*s/day_program",
		 (int)(strrchr(argv[0], '/') - argv[0]), argv[0]);
	read_image(path);
	for (times = atoi(argv[4]); times > 0; times--)
		for (nr = atoi(argv[2]); nr <= atoi(argv[3]); nr++) {
			snprintf(path, sizeof(path), "%s/day-%d", argv[1], nr);
			write_program(path, nr);
			execute(path);
		}
	return 0;
}
