// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Owner of the profile of this process
 *
 * The driver and the libc record profiles, one at a time. The
 * driver may come and go while a program runs: the module is loaded after the
 * program's first call, or the program changes its root and no longer sees the
 * device. The owner that has started a profile is the one to stop. Calls of two
 * threads at once take effect in one of the two orders.
 */
#include <stdatomic.h>
#include <stddef.h>

#include "core/owner.h"

static const struct owner *_Atomic current;
static atomic_uint generation;

void profil_owner_set(const struct owner *owner)
{
	const struct owner *old;

	atomic_fetch_add(&generation, 1);
	old = atomic_exchange(&current, owner);
	if (old && old != owner && old->stop)
		old->stop();
}

void profil_owner_clear(const struct owner *owner)
{
	atomic_fetch_add(&generation, 1);
	atomic_compare_exchange_strong(&current, &owner, NULL);
}

bool profil_owner_is(const struct owner *owner)
{
	return atomic_load(&current) == owner;
}

unsigned int profil_owner_generation(void)
{
	return atomic_load(&generation);
}
