// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saving a profile
 *
 * The profile is written to another file in the same directory, which gets the
 * name when it is complete. A pipe or a device is written directly.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "record/save.h"

/* Directories for a profile that cannot be written where it belongs */
static const char *const directories[] = { "/dev/shm", "/tmp", "/var/tmp" };

static bool is_stdout(const struct save *save)
{
	return !strcmp(save->path, "-");
}

/* A file that exists and is no regular one is opened, not replaced. */
static bool is_special(const struct save *save)
{
	struct stat status;

	return is_stdout(save) ||
	       (!stat(save->path, &status) && !S_ISREG(status.st_mode));
}

static bool is_fifo(const struct save *save)
{
	struct stat status;

	return !is_stdout(save) && !stat(save->path, &status) &&
	       S_ISFIFO(status.st_mode);
}

/* The guardian has left stdout, and the reader of a FIFO may have gone. */
static int open_special(const struct save *save)
{
	int fd;

	if (save->is_orphan && (is_stdout(save) || is_fifo(save)))
		return -EPIPE;
	fd = is_stdout(save) ? fcntl(1, F_DUPFD_CLOEXEC, 3) :
			       open(save->path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Create a new file beside @path; its name is in @name, of PATH_MAX bytes. */
static int open_beside(const char *path, char *name)
{
	int fd;

	if (snprintf(name, PATH_MAX, "%s.XXXXXX", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = mkostemp(name, O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int profil_save_begin(struct save *save, const char *path)
{
	char name[PATH_MAX];
	bool special;
	int fd;

	*save = (struct save){ 0 };
	if (snprintf(save->path, sizeof(save->path), "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	/* To open and close a FIFO would end its reader. */
	if (is_fifo(save))
		return access(path, W_OK) ? -errno : 0;
	special = is_special(save);
	fd = special ? open_special(save) : open_beside(path, name);
	if (fd < 0)
		return fd;
	close(fd);
	if (!special)
		unlink(name);
	return 0;
}

static uint64_t size_of(int fd)
{
	struct stat status;

	return !fstat(fd, &status) && S_ISREG(status.st_mode) ? status.st_size :
								0;
}

/* Write to @fd and close it: 0 or -errno. */
static int write_and_close(struct save *save, const struct profile *profile,
			   int fd)
{
	int error = profil_data_write(profile, fd);

	if (!error)
		save->size = size_of(fd);
	if (close(fd) && !error)
		error = -errno;
	return error;
}

/* Keep the file that was there before the first profile of this recording. */
static void keep_old(const struct save *save)
{
	char old[PATH_MAX + 4];

	snprintf(old, sizeof(old), "%s.old", save->path);
	if (save->is_written || access(save->path, F_OK))
		return;
	unlink(old);
	if (link(save->path, old))
		rename(save->path, old);
}

static int save_file(struct save *save, const struct profile *profile)
{
	char name[PATH_MAX];
	int error, fd = open_beside(save->path, name);

	if (fd < 0)
		return fd;
	error = write_and_close(save, profile, fd);
	if (!error) {
		keep_old(save);
		error = rename(name, save->path) ? -errno : 0;
	}
	if (error)
		unlink(name);
	else
		save->is_written = true;
	return error;
}

static int save_special(struct save *save, const struct profile *profile)
{
	int fd = open_special(save);

	return fd < 0 ? fd : write_and_close(save, profile, fd);
}

/* A later profile of the same recording replaces the one before. */
static int save_elsewhere(struct save *save, const struct profile *profile,
			  const char *directory)
{
	char name[PATH_MAX], path[PATH_MAX];
	int error, fd;

	snprintf(path, sizeof(path), "%s/" DATA_NAME, directory);
	fd = open_beside(path, name);
	if (fd < 0)
		return fd;
	error = write_and_close(save, profile, fd);
	if (error) {
		unlink(name);
		return error;
	}
	if (*save->elsewhere)
		unlink(save->elsewhere);
	memcpy(save->elsewhere, name, sizeof(save->elsewhere));
	return 0;
}

int profil_save(struct save *save, const struct profile *profile)
{
	size_t nr = sizeof(directories) / sizeof(*directories);
	int error = is_special(save) ? save_special(save, profile) :
				       save_file(save, profile);

	if (!error && *save->elsewhere) {
		unlink(save->elsewhere);
		*save->elsewhere = '\0';
	}
	save->error = -error;
	for (size_t i = 0; error && i < nr; i++)
		error = save_elsewhere(save, profile, directories[i]);
	return error;
}
