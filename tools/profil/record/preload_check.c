// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library to preload, and the word for it in LD_PRELOAD
 *
 * Each program that the command executes has LD_PRELOAD in its environment, and
 * the library is of use in some of them only. So LD_PRELOAD has a path with
 * $PLATFORM in it where the library was installed with such paths. glibc's
 * dynamic linker replaces that by its name of the processor: one that leads to
 * the library, or, in a 32-bit program, one that leads to an empty library, as
 * a path that leads nowhere makes it print a line. musl's dynamic linker
 * replaces nothing and ignores a path that leads nowhere.
 */
#include <err.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/preload_check.h"
#include "util/exit_status.h"

#ifndef LIBDIR
#define LIBDIR "/usr/local/lib"
#endif

#define LIBRARY "libprofil.so.1"

const char profil_preload_directory[] = LIBDIR;

/* The library beside the command, in the build tree or in one prefix */
static bool find_beside(char library[PATH_MAX])
{
	char self[PATH_MAX] = "";
	char *slash;

	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return false;
	slash = strrchr(self, '/');
	if (!slash)
		return false;
	*slash = '\0';
	return snprintf(library, PATH_MAX, "%s/../lib/" LIBRARY, self) <
		       PATH_MAX &&
	       !access(library, R_OK);
}

bool profil_preload_find(char library[PATH_MAX])
{
	const char *wanted = getenv("PROFIL_LIB");

	if (!wanted && find_beside(library))
		return true;
	if (!wanted)
		wanted = LIBDIR "/" LIBRARY;
	return snprintf(library, PATH_MAX, "%s", wanted) < PATH_MAX &&
	       !access(library, R_OK);
}

static void require_library(char library[PATH_MAX])
{
	const char *wanted = getenv("PROFIL_LIB");

	if (profil_preload_find(library))
		return;
	if (wanted)
		errx(EXIT_PROFIL,
		     "PROFIL_LIB=%s cannot be read: correct or unset it",
		     wanted);
	errx(EXIT_PROFIL,
	     LIBRARY " is not in " LIBDIR
		     ": make install, or set PROFIL_LIB to its path");
}

/* @path and @library are the same file. */
static bool is_library(const char *path, const char *library)
{
	struct stat one, other;

	return !stat(path, &one) && !stat(library, &other) &&
	       one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Path of @library for @platform, which may not exist */
static bool make_path(char path[PATH_MAX], const char *library,
		      const char *platform)
{
	int directory = strrchr(library, '/') - library;

	return snprintf(path, PATH_MAX, "%.*s/profil/%s/" LIBRARY, directory,
			library, platform) < PATH_MAX;
}

/* A library that was copied without its directory profil has no such paths. */
static bool has_platforms(const char *library)
{
	const char *platform = (const char *)getauxval(AT_PLATFORM);
	char path[PATH_MAX];

	return platform && make_path(path, library, platform) &&
	       is_library(path, library);
}

const char *profil_preload_library(void)
{
	static char preload[PATH_MAX];
	char found[PATH_MAX], library[PATH_MAX];

	require_library(found);
	if (!realpath(found, library))
		errx(EXIT_PROFIL, "cannot resolve the path of " LIBRARY
				  ": set PROFIL_LIB to it");
	if (strcmp(strrchr(library, '/'), "/" LIBRARY))
		errx(EXIT_PROFIL, "%s is not named " LIBRARY ": rename it",
		     library);
	if (strpbrk(library, " :$"))
		errx(EXIT_PROFIL,
		     "LD_PRELOAD cannot contain the space, colon or dollar sign of %s: copy it, and set PROFIL_LIB to the copy",
		     library);
	if (!has_platforms(library) ||
	    !make_path(preload, library, "$PLATFORM"))
		snprintf(preload, sizeof(preload), "%s", library);
	return preload;
}
