// SPDX-License-Identifier: GPL-2.0-only
/* The sum of files of the kind profil.data */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "profile/data_files.h"
#include "profile/sum.h"
#include "util/exit_status.h"
#include "util/file_name.h"

/* The name profil.data is often not the user's, but the preset of an option. */
static void __attribute__((noreturn)) refuse(const char *path)
{
	if (errno == ENOENT && !strcmp(path, DATA_NAME))
		errx(EXIT_PROFIL,
		     "no profil.data in this directory: profil record writes one, as in profil record -- make");
	err(EXIT_PROFIL, "cannot read %s", path);
}

/* Other kinds of files, such as devices, may have no end. */
static int open_file(const char *path)
{
	bool is_stdin = !strcmp(path, "-");
	struct stat status;
	int fd;

	if (is_stdin)
		profil_file_name_check(path);
	fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) :
			open(path, O_RDONLY | O_CLOEXEC);
	path = profil_file_name(path);
	if (fd < 0 || fstat(fd, &status))
		refuse(path);
	if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode))
		errx(EXIT_PROFIL,
		     "%s is not a file: name a profil.data, gmon.out or mon.out",
		     path);
	return fd;
}

static void read_file(const char *path, struct profile *profile)
{
	char text[DATA_ERROR_TEXT];
	int fd = open_file(path);

	profil_profile_init(profile);
	if (profil_data_read(profile, fd, text))
		errx(EXIT_PROFIL, "%s: %s", profil_file_name(path), text);
	close(fd);
	if (profile->dropped_frames)
		warnx("%s: %llu inlined calls are left out: an instruction has %d at most",
		      profil_file_name(path),
		      (unsigned long long)profile->dropped_frames,
		      PROFILE_FRAMES - 1);
}

static void add_file(const char *path, struct profile *sum)
{
	struct profile profile;

	read_file(path, &profile);
	path = profil_file_name(path);
	switch (profil_profile_add(sum, &profile)) {
	case SUM_OK:
		break;
	case SUM_PERIOD:
		errx(EXIT_PROFIL,
		     "%s: cannot be added up: a sample stands for %.4g ms, and for %.4g ms before: record with the same -F",
		     path, profile.head.period_ns / 1e6,
		     sum->head.period_ns / 1e6);
	case SUM_MANY:
		errx(EXIT_PROFIL,
		     "%s: cannot be added up: too many samples to add up",
		     path);
	}
	profil_profile_free(&profile);
}

void profil_data_files_read(char **files, struct profile *sum)
{
	read_file(*files, sum);
	while (*++files)
		add_file(*files, sum);
}
