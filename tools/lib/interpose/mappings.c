// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * mmap(), mprotect() and pkey_mprotect(), to find the code that a program writes
 * into memory while it runs
 *
 * The functions may be called in a signal handler, and by an allocator before
 * any constructor has run. So they look up no symbol: the constructor does, and
 * until then they are system calls.
 */
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/real_symbol.h"
#include "run/recorder.h"

#ifdef __GLIBC__

#define EXPORT __attribute__((visibility("default")))

typedef void *(*mmap_fn)(void *address, size_t length, int protection,
			 int flags, int fd, off_t offset);
typedef int (*mprotect_fn)(void *address, size_t length, int protection);
typedef int (*pkey_mprotect_fn)(void *address, size_t length, int protection,
				int key);

static void *next_mmap;
static void *next_mprotect;
static void *next_pkey_mprotect;

__attribute__((constructor)) static void find_next(void)
{
	profil_real_symbol(&next_mmap, "mmap");
	profil_real_symbol(&next_mprotect, "mprotect");
	profil_real_symbol(&next_pkey_mprotect, "pkey_mprotect");
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags,
		  int fd, off_t offset)
{
	mmap_fn next = (mmap_fn)next_mmap;
	void *mapped =
		next ? next(address, length, protection, flags, fd, offset) :
		       (void *)syscall(SYS_mmap, address, length, protection,
				       flags, fd, offset);

	if (protection & PROT_EXEC && mapped != MAP_FAILED)
		profil_recorder_code(mapped, length);
	return mapped;
}

EXPORT void *mmap64(void *address, size_t length, int protection, int flags,
		    int fd, off64_t offset) __attribute__((alias("mmap")));

EXPORT int mprotect(void *address, size_t length, int protection)
{
	mprotect_fn next = (mprotect_fn)next_mprotect;
	int ret =
		next ? next(address, length, protection) :
		       (int)syscall(SYS_mprotect, address, length, protection);

	if (protection & PROT_EXEC && !ret)
		profil_recorder_code(address, length);
	return ret;
}

EXPORT int pkey_mprotect(void *address, size_t length, int protection, int key)
{
	pkey_mprotect_fn next = (pkey_mprotect_fn)next_pkey_mprotect;
	int ret = next ? next(address, length, protection, key) :
			 (int)syscall(SYS_pkey_mprotect, address, length,
				      protection, key);

	if (protection & PROT_EXEC && !ret)
		profil_recorder_code(address, length);
	return ret;
}

#endif
