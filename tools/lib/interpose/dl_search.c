// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Directories in which dlopen() searches for a library
 *
 * glibc uses the return address: it searches the calling object's RPATH and
 * RUNPATH, and $ORIGIN is that object's directory. For a call through this
 * library that object would be libprofil. So the real caller's directories, as
 * the dynamic linker lists them, are tried here first, and the dynamic linker
 * then searches for a library in none of them. Variants of a library for certain
 * processors are found only by the dynamic linker.
 *
 * musl's search does not depend on the caller.
 */
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "interpose/dl_search.h"

#ifdef __GLIBC__

static void *try_directory(const struct opener *opener, const char *directory,
			   const char *file)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s", directory, file);

	if (length < 0 || length >= (int)sizeof(path) || access(path, R_OK))
		return NULL;
	return opener->open(opener, path, opener->mode);
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
	void *handle = opener->open(opener, file, opener->mode | RTLD_NOLOAD);

	if (!handle && !(opener->mode & RTLD_NOLOAD))
		handle = search(opener, caller, file);
	return handle ? handle : opener->open(opener, file, opener->mode);
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
	return handle ? handle : opener->open(opener, file, opener->mode);
}

void *profil_dl_search(const struct opener *opener, const char *file,
		       const void *caller)
{
	struct link_map *map;
	Dl_info info;

	if (!file || !*file ||
	    !dladdr1(caller, &info, (void **)&map, RTLD_DL_LINKMAP))
		return opener->open(opener, file, opener->mode);
	if (strchr(file, '/'))
		return by_path(opener, map, file);
	return by_name(opener, map, file);
}

#else

void *profil_dl_search(const struct opener *opener, const char *file,
		       const void *caller)
{
	(void)caller;
	return opener->open(opener, file, opener->mode);
}

#endif
