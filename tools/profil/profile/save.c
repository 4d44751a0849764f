// SPDX-License-Identifier: GPL-2.0-only
/*
 * Saving a profile
 *
 * The profile is written to another file in the same directory, which gets the
 * name when it is complete and on the disk. That file has no name while it is
 * written, so that it vanishes with a process that is killed, unless the file
 * system has no such files, or linkat(2) fails. A pipe, a device or an open
 * descriptor is written directly.
 */
#include <sys/stat.h>

#include "profile/data_file.h"
#include "profile/save.h"
#include "util/replace.h"
#include "util/text.h"

/* Directories for a profile that cannot be written where it belongs */
static const char *const directories[] = { "/dev/shm", "/tmp", "/var/tmp" };

/* The number at the end of @path, which begins with @directory, or -1 */
static int number_in(const char *path, const char *directory)
{
	size_t length = strlen(directory);
	uint64_t number;

	if (strncmp(path, directory, length) ||
	    !profil_text_number(path + length, 10, &number) || number > INT_MAX)
		return -1;
	return number;
}

int profil_save_descriptor(const char *path)
{
	int number;

	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdout"))
		return STDOUT_FILENO;
	if (!strcmp(path, "/dev/stderr"))
		return STDERR_FILENO;
	number = number_in(path, "/dev/fd/");
	return number >= 0 ? number : number_in(path, "/proc/self/fd/");
}

/* Links that are followed, as many as by the kernel */
#define LINKS 40

/*
 * Store at @path, of PATH_MAX bytes, where its link @fd leads to; false if that is too
 * long.
 */
static bool follow(int fd, char *path)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(fd, "", target, sizeof(target));
	char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	if (length <= 0 || length >= PATH_MAX)
		return false;
	if (*target == '/')
		name = path;
	if (length >= path + PATH_MAX - name)
		return false;
	memcpy(name, target, length);
	name[length] = '\0';
	return true;
}

/*
 * Descriptor of O_PATH of the file @path, with its @status, or -1. A link of another user
 * may name any device, and is not followed, in any directory: fs.protected_symlinks has
 * the same rule for directories with a sticky bit. Each link is read by a descriptor, so
 * that the one whose owner is known is the one that is followed.
 */
static int find_file(const char *path, struct stat *status)
{
	char name[PATH_MAX];
	bool is_followed = snprintf(name, sizeof(name), "%s", path) < PATH_MAX;

	for (int links = 0; is_followed && links < LINKS; links++) {
		int fd = open(name, O_PATH | O_NOFOLLOW | O_CLOEXEC);

		if (fd < 0 || fstat(fd, status) || !S_ISLNK(status->st_mode))
			return fd;
		is_followed = !status->st_uid || status->st_uid == geteuid();
		is_followed = is_followed && follow(fd, name);
		close(fd);
	}
	return -1;
}

/* The type of the file @path, as in st_mode; 0 if there is none */
static mode_t type_of(const char *path)
{
	struct stat status;
	int fd = find_file(path, &status);

	if (fd < 0)
		return 0;
	close(fd);
	return status.st_mode & S_IFMT;
}

/*
 * A file that exists and is no regular one is opened, not replaced; but the usual
 * name is the name of a file, whatever another user has put there. To open a
 * directory fails.
 */
bool profil_save_is_special(const char *path)
{
	mode_t type;

	if (profil_save_descriptor(path) >= 0)
		return true;
	type = type_of(path);
	return type && type != S_IFREG &&
	       (type == S_IFDIR || strcmp(path, DATA_NAME));
}

static bool is_fifo(const struct save *save)
{
	return profil_save_is_special(save->path) &&
	       type_of(save->path) == S_IFIFO;
}

/*
 * Open the file @path by the descriptor that it was found by, whatever has its name by then:
 * a descriptor or -errno. A regular one, which has taken the place of another, is not opened.
 */
static int open_found(const char *path)
{
	char name[sizeof("/proc/self/fd/") + 10];
	struct stat status;
	int fd = -1, found = find_file(path, &status);

	errno = EEXIST;
	if (found >= 0 && !S_ISREG(status.st_mode)) {
		snprintf(name, sizeof(name), "/proc/self/fd/%d", found);
		fd = open(name, O_WRONLY | O_CLOEXEC);
	}
	if (fd < 0)
		fd = -errno;
	if (found >= 0)
		close(found);
	return fd;
}

/* A recorder that outlives profil has left stdout, and the reader of a FIFO may have gone. */
static int open_special(const struct save *save)
{
	int fd;

	if (save->is_orphan &&
	    (save->descriptor == STDOUT_FILENO || is_fifo(save)))
		return -EPIPE;
	if (save->descriptor < 0)
		return open_found(save->path);
	fd = fcntl(save->descriptor, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? -errno : fd;
}

/*
 * Create a new file beside @path. @save->unfinished is its name, or empty. It is
 * never the name of a file that another process has made.
 */
static int open_beside(struct save *save, const char *path)
{
	char name[PATH_MAX];
	int fd;

	*save->unfinished = '\0';
	if (snprintf(name, sizeof(name), "%s.XXXXXX", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	fd = save->has_no_links ? -1 : profil_replace_open(path, 0600);
	if (fd >= 0)
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	memcpy(save->unfinished, name, sizeof(name));
	return fd;
}

/* Give the file @fd beside @path a name, unless it has one: 0 or -errno. */
static int give_name(struct save *save, const char *path, int fd)
{
	int error;

	if (*save->unfinished)
		return 0;
	error = profil_replace_name(fd, path, save->unfinished);
	save->has_no_links = error < 0;
	return error;
}

static void remove_unfinished(struct save *save)
{
	if (*save->unfinished)
		unlink(save->unfinished);
	*save->unfinished = '\0';
}

int profil_save_begin(struct save *save, const char *path)
{
	bool special;
	int fd;

	*save = (struct save){ .descriptor = profil_save_descriptor(path) };
	if (snprintf(save->path, sizeof(save->path), "%s", path) >= PATH_MAX)
		return -ENAMETOOLONG;
	/* To open and close a FIFO would end its reader. */
	if (save->descriptor < 0 && is_fifo(save))
		return access(path, W_OK) ? -errno : 0;
	special = profil_save_is_special(path);
	fd = special ? open_special(save) : open_beside(save, path);
	if (fd < 0)
		return fd;
	close(fd);
	remove_unfinished(save);
	return 0;
}

/*
 * Write to @fd, or -errno, and to the disk if it is a file. Without an error, the file
 * beside @path has the name @save->unfinished then; NULL: it is no such file. 0 or
 * -errno.
 */
static int write_all(struct save *save, const struct profile *profile, int fd,
		     const char *path)
{
	struct stat status;
	int error;

	if (fd < 0)
		return fd;
	error = profil_data_write(profile, fd, DATA_COMPRESSED);
	if (!error) {
		bool is_file = !fstat(fd, &status) && S_ISREG(status.st_mode);

		save->size = is_file ? status.st_size : 0;
		if (is_file && fsync(fd))
			error = -errno;
	}
	if (!error && path)
		error = give_name(save, path, fd);
	if (close(fd) && !error)
		error = -errno;
	if (error && path)
		remove_unfinished(save);
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

/*
 * Write a file beside @path; its name is @save->unfinished then. A file that
 * cannot get a name is written again, with a name from the beginning.
 */
static int write_beside(struct save *save, const struct profile *profile,
			const char *path)
{
	bool had_no_links = save->has_no_links;
	int error = write_all(save, profile, open_beside(save, path), path);

	if (error && save->has_no_links && !had_no_links)
		error = write_all(save, profile, open_beside(save, path), path);
	return error;
}

static int save_file(struct save *save, const struct profile *profile)
{
	int error = write_beside(save, profile, save->path);

	if (error)
		return error;
	keep_old(save);
	if (rename(save->unfinished, save->path))
		error = -errno;
	if (error)
		remove_unfinished(save);
	else
		save->is_written = true;
	*save->unfinished = '\0';
	return error;
}

/* A later profile of the same recording replaces the one before. */
static int save_elsewhere(struct save *save, const struct profile *profile,
			  const char *directory)
{
	char path[PATH_MAX];
	int error;

	snprintf(path, sizeof(path), "%s/" DATA_NAME, directory);
	error = write_beside(save, profile, path);
	if (error)
		return error;
	if (*save->elsewhere)
		unlink(save->elsewhere);
	memcpy(save->elsewhere, save->unfinished, sizeof(save->elsewhere));
	*save->unfinished = '\0';
	return 0;
}

int profil_save(struct save *save, const struct profile *profile)
{
	size_t nr = sizeof(directories) / sizeof(*directories);
	int error;

	remove_unfinished(save);
	error = profil_save_is_special(save->path) ?
			write_all(save, profile, open_special(save), NULL) :
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

void profil_save_tell(const struct save *save, int error, char *text,
		      size_t size)
{
	if (error)
		snprintf(text, size, "cannot write %s (%s)", save->path,
			 strerror(-error));
	else if (save->error)
		snprintf(text, size,
			 "cannot write %s (%s): the profile is in %s",
			 save->path, strerror(save->error), save->elsewhere);
	else
		snprintf(text, size, "saved in %s (%llu KB)", save->path,
			 (unsigned long long)(save->size + 999) / 1000);
}

int profil_save_part(const char *directory, const struct profile *profile)
{
	struct save save = { .descriptor = -1 };
	int length = snprintf(save.path, sizeof(save.path),
			      "%s/%020" PRIu64 "-%d.data", directory,
			      profile->head.begin_ns, getpid());

	return length < PATH_MAX ? save_file(&save, profile) : -ENAMETOOLONG;
}
