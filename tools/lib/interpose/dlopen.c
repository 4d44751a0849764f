// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dlopen(), dlmopen() and dlclose(), so that what a program opens while it runs
 * is seen
 *
 * In a process where nobody has to see it they are jumps to the functions they
 * stand in front of. A jump, not a call: glibc goes by the return address, and
 * has to find the real caller's there. The compiler makes a jump of a call in
 * tail position when it optimizes, if no variable of the function has had its
 * address taken; so what there is to do then is done in another file.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "core/real_symbol.h"
#include "interpose/dl_interpose.h"

#ifndef __OPTIMIZE__
#error dlopen() has to be compiled with optimization to be a jump
#endif

#define EXPORT __attribute__((visibility("default")))

static void *next_dlopen;
static void *next_dlclose;

EXPORT void *dlopen(const char *file, int mode)
{
	dlopen_fn next = profil_real_symbol(&next_dlopen, "dlopen");

	if (profil_dl_is_interposed())
		return profil_dl_interpose_dlopen(next, file, mode,
						  __builtin_return_address(0));
	return next(file, mode);
}

EXPORT int dlclose(void *handle)
{
	dlclose_fn next = profil_real_symbol(&next_dlclose, "dlclose");

	if (profil_dl_is_interposed())
		return profil_dl_interpose_dlclose(next, handle);
	return next(handle);
}

#ifdef __GLIBC__

static void *next_dlmopen;

EXPORT void *dlmopen(Lmid_t space, const char *file, int mode)
{
	dlmopen_fn next = profil_real_symbol(&next_dlmopen, "dlmopen");

	if (profil_dl_is_interposed())
		return profil_dl_interpose_dlmopen(next, space, file, mode,
						   __builtin_return_address(0));
	return next(space, file, mode);
}

#endif
