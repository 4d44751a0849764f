// SPDX-License-Identifier: GPL-2.0-only
#include "guest.h"

#include <stddef.h>
#include <unistd.h>

#include "module.h"

const char *guest_missing(void)
{
	return can_load() && !access("/settings", R_OK) ?
		       NULL :
		       "this is not the guest of tests/qemu";
}
