// SPDX-License-Identifier: LGPL-2.1-or-later
/* A forked child inherits the restriction and, with its memory, the note. */
#include <stdatomic.h>

#include "core/sandbox.h"

static atomic_bool is_on;

bool profil_sandbox_enter(void)
{
	return atomic_exchange(&is_on, true);
}

void profil_sandbox_leave(void)
{
	atomic_store(&is_on, false);
}

bool profil_sandbox_is_on(void)
{
	return atomic_load_explicit(&is_on, memory_order_relaxed);
}
