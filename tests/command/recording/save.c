// SPDX-License-Identifier: GPL-2.0-only
/*
 * save [WAY]... NAME: save the profil.data on stdin as NAME. It has to be on the disk
 * before it has its name. The ways are
 *
 *	old	no file can be without a name.
 *	nolink	a file without a name cannot get one.
 *	full	the disk reports at fsync() that it is full.
 *	here	the disk of the directory does; the profile is saved elsewhere, which is
 *		removed at the end.
 *	room	the disk has room when it is saved again.
 *	killed	a process that saves it is killed at fsync(); nothing more is saved.
 *	again	it is saved twice, after the process that was killed.
 *	opened	NAME becomes a link to the file "victim" right before it is opened to be
 *		written.
 *	found	it does, after it was found to be no regular file.
 *	query	nothing is saved; what NAME is, is printed.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "profile/save.h"

static bool is_old, refuses_link, is_full, is_full_here, has_room_again,
	is_killed, is_saved_again, is_swapped_opened, is_swapped_found;
static const char *swapped;
static off_t synced = -1;
static struct profile profile;

static void swap(void)
{
	if (unlink(swapped) || symlink("victim", swapped))
		err(1, "%s", swapped);
	swapped = NULL;
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	mode_t mode;
	int fd;

	va_start(arguments, flags);
	mode = va_arg(arguments, mode_t);
	va_end(arguments);
	if (is_old && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (swapped && is_swapped_opened && (flags & O_ACCMODE) == O_WRONLY)
		swap();
	fd = syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	if (swapped && is_swapped_found && flags & O_PATH)
		swap();
	return fd;
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	if (refuses_link) {
		errno = EPERM;
		return -1;
	}
	return syscall(SYS_linkat, from_fd, from, to_fd, to, flags);
}

/* The file @fd is in the working directory, with a name or without. */
static bool is_here(int fd)
{
	char link[32], path[PATH_MAX] = "", *here = getcwd(NULL, 0);
	bool result;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	result = here && readlink(link, path, sizeof(path) - 1) > 0 &&
		 !strncmp(path, here, strlen(here));
	free(here);
	return result;
}

int fsync(int fd)
{
	bool fails = is_full || (is_full_here && is_here(fd));
	struct stat status;

	if (is_killed)
		raise(SIGKILL);
	if (fstat(fd, &status))
		return -1;
	synced = status.st_size;
	errno = fails ? ENOSPC : 0;
	return fails ? -1 : 0;
}

int rename(const char *from, const char *to)
{
	struct stat status;

	if (strstr(from, ".old") || strstr(to, ".old"))
		return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
	if (stat(from, &status) || synced != status.st_size)
		errx(1, "%s is not on the disk", from);
	return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

static bool has_nameless_files(void)
{
	int fd = open(".", O_TMPFILE | O_WRONLY, 0600);

	close(fd);
	return fd >= 0;
}

static void set(const char *way)
{
	is_old |= !strcmp(way, "old");
	refuses_link |= !strcmp(way, "nolink");
	is_full |= !strcmp(way, "full");
	is_full_here |= !strcmp(way, "here");
	has_room_again |= !strcmp(way, "room");
	is_killed |= !strcmp(way, "killed");
	is_saved_again |= !strcmp(way, "again");
	is_swapped_opened |= !strcmp(way, "opened");
	is_swapped_found |= !strcmp(way, "found");
}

/* @save is in memory that both processes have. */
static void save_in_child(struct save *save)
{
	int status;

	if (!fork())
		_exit(!!profil_save(save, &profile));
	wait(&status);
	if (WIFSIGNALED(status))
		printf("killed by signal %d\n", WTERMSIG(status));
	is_killed = false;
}

static int save_as(const char *name)
{
	struct save *save = mmap(NULL, sizeof(*save), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int error = -profil_save_begin(save, name);
	char text[2 * PATH_MAX];
	struct stat status;

	if (error)
		errx(1, "begin: %s", strerror(error));
	if (is_swapped_opened || is_swapped_found)
		swapped = name;
	if (is_killed) {
		save_in_child(save);
		if (!is_saved_again)
			return 0;
	}
	error = -profil_save(save, &profile);
	is_full_here &= !has_room_again;
	if (!error && is_saved_again)
		error = -profil_save(save, &profile);
	if (error != (save->error ?: error) && !is_full_here)
		errx(1, "the error is %d", save->error);
	if (*save->elsewhere && (error || unlink(save->elsewhere)))
		errx(1, "it is not elsewhere");
	if (is_full_here) {
		profil_save_tell(save, error, text, sizeof(text));
		puts(text);
	}
	if (error)
		errx(1, "%s", strerror(error));
	if (!is_full_here && !is_swapped_opened && !stat(name, &status) &&
	    S_ISREG(status.st_mode) && (uint64_t)status.st_size != save->size)
		errx(1, "the size is another one");
	return 0;
}

int main(int argc, char **argv)
{
	const char *name = argv[argc - 1];
	char text[DATA_ERROR_TEXT];
	int status;

	for (int i = 1; i < argc - 1; i++)
		set(argv[i]);
	if (!strcmp(argv[1], "query")) {
		printf("%s, descriptor %d\n",
		       profil_save_is_special(name) ? "special" : "file",
		       profil_save_descriptor(name));
		return 0;
	}
	if (is_killed && !is_old && !has_nameless_files())
		return 0;
	profil_profile_init(&profile);
	if (profil_data_read(&profile, STDIN_FILENO, text))
		errx(1, "%s", text);
	status = save_as(name);
	profil_profile_free(&profile);
	return status;
}
