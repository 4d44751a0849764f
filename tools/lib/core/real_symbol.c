// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The libc's functions that functions of this library replace
 *
 * In libprofil.a the reference to dlsym is weak: a static program has no next
 * object, and dlsym would link the dynamic linker into it. Threads that look up
 * the same name at the same time find the same function.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "core/real_symbol.h"

#ifdef PROFIL_STATIC
#pragma weak dlsym
#endif

void *profil_real_symbol(void **slot, const char *name)
{
	void *found = __atomic_load_n(slot, __ATOMIC_RELAXED);

	if (found)
		return found;
#ifdef PROFIL_STATIC
	if (!dlsym)
		return NULL;
#endif
	found = dlsym(RTLD_NEXT, name);
	__atomic_store_n(slot, found, __ATOMIC_RELAXED);
	return found;
}
