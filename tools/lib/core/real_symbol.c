// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The functions that ours stand in front of
 *
 * In libprofil.a the reference to dlsym is weak: a static program has no next
 * object to ask, and should not have the dynamic linker linked in for it.
 * Threads may look a name up at the same time, and find the same.
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
