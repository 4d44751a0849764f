// SPDX-License-Identifier: GPL-2.0-only
#include "util/replace.h"

/* Names that are tried for a file beside another */
#define MAX_NAMES 10000

int profil_replace_open(const char *path, mode_t mode)
{
	const char *slash = strrchr(path, '/');
	char directory[PATH_MAX];

	snprintf(directory, sizeof(directory), "%.*s.",
		 slash ? (int)(slash - path) + 1 : 0, path);
	return open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

int profil_replace_name(int fd, const char *path, char name[PATH_MAX])
{
	char file[32];

	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	errno = EEXIST;
	for (int i = 0; i < MAX_NAMES && errno == EEXIST; i++) {
		/* A name that was cut would be that of another file. */
		if (snprintf(name, PATH_MAX, "%s.%06d", path,
			     (getpid() + i) % 1000000) >= PATH_MAX)
			errno = ENAMETOOLONG;
		else if (!linkat(AT_FDCWD, file, AT_FDCWD, name,
				 AT_SYMLINK_FOLLOW))
			return 0;
	}
	*name = '\0';
	return -errno;
}
