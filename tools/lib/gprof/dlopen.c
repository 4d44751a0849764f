// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dlopen() and dlclose() of a program whose libraries are profiled
 *
 * After the call the list of libraries is read again: a new library gets its
 * counters. The initialization of a library is over by then and not in the profile.
 * A library that the libc itself opens is found at the program's next call. Those
 * that dlmopen() opens in another namespace are not in the list.
 *
 * Without such a profile the functions jump to the libc's. A jump, not a call: glibc
 * uses the return address, which has to be the real caller's. With optimization the
 * compiler turns a call in tail position into a jump, provided that no variable of
 * the function has its address taken.
 *
 * glibc searches the RPATH and RUNPATH of the object that contains the return
 * address, and $ORIGIN is that object's directory. For a call from this file that
 * object would be libprofil. So the real caller's directories, as the dynamic linker
 * lists them, are tried here first, and the dynamic linker then searches for a
 * library in none of them. Variants of a library for certain processors are found
 * only by the dynamic linker. musl's search does not depend on the caller.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/real_symbol.h"
#include "gprof/gmon.h"

#ifndef __OPTIMIZE__
#error dlopen() has to be compiled with optimization to be a jump
#endif

#define EXPORT __attribute__((visibility("default")))

typedef void *(*dlopen_fn)(const char *file, int mode);
typedef int (*dlclose_fn)(void *handle);

static void *next_dlopen;
static void *next_dlclose;

/**
 * struct opener - a call to be made for one file or another
 * @open: the libc's dlopen()
 * @mode: RTLD_* flags
 */
struct opener {
	dlopen_fn open;
	int mode;
};

#ifdef __GLIBC__

static void *try_directory(const struct opener *opener, const char *directory,
			   const char *file)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s", directory, file);

	if (length < 0 || length >= (int)sizeof(path) || access(path, R_OK))
		return NULL;
	return opener->open(path, opener->mode);
}

static void *try_all(const struct opener *opener, const Dl_serinfo *list,
		     const char *file)
{
	for (unsigned int i = 0; i < list->dls_cnt; i++) {
		const Dl_serpath *entry = &list->dls_serpath[i];
		void *handle = NULL;

		if (!(entry->dls_flags & LA_SER_DEFAULT))
			handle = try_directory(opener, entry->dls_name, file);
		if (handle)
			return handle;
	}
	return NULL;
}

static void *search(const struct opener *opener, struct link_map *caller,
		    const char *file)
{
	Dl_serinfo head;
	Dl_serinfo *list;
	void *handle = NULL;

	if (dlinfo(caller, RTLD_DI_SERINFOSIZE, &head))
		return NULL;
	list = malloc(head.dls_size);
	if (!list)
		return NULL;
	list->dls_size = head.dls_size;
	list->dls_cnt = head.dls_cnt;
	if (!dlinfo(caller, RTLD_DI_SERINFO, list))
		handle = try_all(opener, list, file);
	free(list);
	return handle;
}

/* A library already loaded under the name has precedence over directories. */
static void *by_name(const struct opener *opener, struct link_map *caller,
		     const char *file)
{
	void *handle = opener->open(file, opener->mode | RTLD_NOLOAD);

	if (!handle && !(opener->mode & RTLD_NOLOAD))
		handle = search(opener, caller, file);
	return handle ? handle : opener->open(file, opener->mode);
}

static const char *after_origin(const char *file)
{
	static const char *const names[] = { "$ORIGIN/", "${ORIGIN}/" };

	for (unsigned int i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strncmp(file, names[i], strlen(names[i])))
			return file + strlen(names[i]);
	return NULL;
}

static void *by_path(const struct opener *opener, struct link_map *caller,
		     const char *file)
{
	const char *rest = after_origin(file);
	char origin[PATH_MAX];
	void *handle = NULL;

	if (rest && !dlinfo(caller, RTLD_DI_ORIGIN, origin))
		handle = try_directory(opener, origin, rest);
	return handle ? handle : opener->open(file, opener->mode);
}

/* Open @file with the result that a call by @caller would have. */
static void *open_for(const struct opener *opener, const char *file,
		      const void *caller)
{
	struct link_map *map;
	Dl_info info;

	if (!file || !*file ||
	    !dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP))
		return opener->open(file, opener->mode);
	if (strchr(file, '/'))
		return by_path(opener, map, file);
	return by_name(opener, map, file);
}

#else

static void *open_for(const struct opener *opener, const char *file,
		      const void *caller)
{
	(void)caller;
	return opener->open(file, opener->mode);
}

#endif

static __attribute__((noinline)) void *
open_and_look(struct opener opener, const char *file, const void *caller)
{
	void *handle = open_for(&opener, file, caller);

	if (handle && file)
		profil_gmon_refresh();
	return handle;
}

EXPORT void *dlopen(const char *file, int mode)
{
	dlopen_fn next = profil_real_symbol(&next_dlopen, "dlopen");

	if (profil_gmon_wants_libraries())
		return open_and_look((struct opener){ next, mode }, file,
				     __builtin_return_address(0));
	return next(file, mode);
}

EXPORT int dlclose(void *handle)
{
	dlclose_fn next = profil_real_symbol(&next_dlclose, "dlclose");
	int ret;

	if (!profil_gmon_wants_libraries())
		return next(handle);
	ret = next(handle);
	profil_gmon_refresh();
	return ret;
}
