// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * dlopen(), dlmopen() and dlclose(), to find the libraries that a program opens
 * while it runs
 *
 * In a process that is not profiled the functions jump to the libc's. A jump, not
 * a call: glibc uses the return address, which has to be the real caller's. With
 * optimization the compiler turns a call in tail position into a jump, provided
 * that no variable of the function has its address taken; so the rest of the work
 * is in dl_interpose.c.
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
