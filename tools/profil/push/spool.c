// SPDX-License-Identifier: GPL-2.0-only
/* Spool: a directory of recordings that wait for a server */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/data_file.h"
#include "push/spool.h"
#include "util/exit_status.h"

/* Digits of nanoseconds since 1970 in a name: names sort by time. */
#define DIGITS 20
#define SUFFIX ".data"

/* A file that is being written has a name with another suffix. */
#define UNFINISHED ".new"

static bool is_recording(const char *name)
{
	size_t length = strlen(name);

	return strspn(name, "0123456789") == DIGITS && length > DIGITS &&
	       !strcmp(name + length - strlen(SUFFIX), SUFFIX);
}

static bool path_of(const struct spool *spool, const char *name, char *path)
{
	return snprintf(path, PATH_MAX, "%s/%s", spool->directory, name) <
	       PATH_MAX;
}

/* Files of an earlier profil that was killed while it wrote */
static void remove_unfinished(const struct spool *spool)
{
	DIR *directory = opendir(spool->directory);
	struct dirent *entry;
	char path[PATH_MAX];

	while (directory && (entry = readdir(directory))) {
		size_t length = strlen(entry->d_name);

		if (strspn(entry->d_name, "0123456789") == DIGITS &&
		    !strcmp(entry->d_name + length - strlen(UNFINISHED),
			    UNFINISHED) &&
		    path_of(spool, entry->d_name, path))
			unlink(path);
	}
	if (directory)
		closedir(directory);
}

void profil_spool_require(const struct spool *spool)
{
	int error = 0;

	if (mkdir(spool->directory, 0700) && errno != EEXIST)
		error = errno;
	else if (access(spool->directory, R_OK | W_OK | X_OK))
		error = errno;
	else if (strlen(spool->directory) > PATH_MAX / 2)
		error = ENAMETOOLONG;
	if (error)
		errx(EXIT_PROFIL,
		     "cannot use the directory %s (%s): name another one with --spool",
		     spool->directory, strerror(error));
	remove_unfinished(spool);
}

static int write_file(const char *path, const struct profile *profile)
{
	FILE *file = fopen(path, "wxe");
	int error;

	if (!file)
		return -errno;
	error = fchmod(fileno(file), 0600) ? -errno : 0;
	if (!error)
		error = profil_data_write(profile, fileno(file));
	if (fclose(file) && !error)
		error = -errno;
	return error;
}

int profil_spool_add(const struct spool *spool, const struct profile *profile)
{
	char name[64], path[PATH_MAX], unfinished[PATH_MAX];
	int error;

	snprintf(name, sizeof(name), "%0*" PRIu64 "-%d" SUFFIX, DIGITS,
		 profile->head.begin_ns, getpid());
	if (!path_of(spool, name, path))
		return -ENAMETOOLONG;
	memcpy(strrchr(name, '.'), UNFINISHED, sizeof(UNFINISHED));
	path_of(spool, name, unfinished);
	error = write_file(unfinished, profile);
	if (!error && rename(unfinished, path))
		error = -errno;
	if (error)
		unlink(unfinished);
	return error;
}

static void consider(const struct spool *spool, const char *name,
		     struct spool_state *state)
{
	struct stat status;
	char path[PATH_MAX];

	if (!is_recording(name) || !path_of(spool, name, path) ||
	    stat(path, &status) || !S_ISREG(status.st_mode))
		return;
	state->files++;
	state->bytes += status.st_size;
	if (!*state->oldest || strcmp(path, state->oldest) < 0)
		memcpy(state->oldest, path, sizeof(path));
}

struct spool_state profil_spool_look(const struct spool *spool)
{
	DIR *directory = opendir(spool->directory);
	struct spool_state state = { 0 };
	struct dirent *entry;

	while (directory && (entry = readdir(directory)))
		consider(spool, entry->d_name, &state);
	if (directory)
		closedir(directory);
	return state;
}

uint64_t profil_spool_trim(const struct spool *spool)
{
	struct spool_state state = profil_spool_look(spool);
	uint64_t removed = 0;

	while (state.bytes > spool->limit && *state.oldest) {
		/* The sender may have removed it. */
		if (!unlink(state.oldest))
			removed++;
		else if (errno != ENOENT)
			break;
		state = profil_spool_look(spool);
	}
	return removed;
}
