// SPDX-License-Identifier: LGPL-2.1-or-later
#include <stddef.h>

#include "core/driver.h"
#include "core/owner.h"

/* The driver ends a profile by itself when another START replaces it. */
static const struct owner driver;

int profil_driver_start(struct profil_start *start)
{
	int ret = profil_device(PROFIL_IOC_START, start);

	if (!ret)
		profil_owner_set(&driver);
	return ret;
}

int profil_driver_stop(void)
{
	int ret = profil_device(PROFIL_IOC_STOP, NULL);

	if (!ret)
		profil_owner_set(NULL);
	return ret;
}

bool profil_driver_is_owner(void)
{
	return profil_owner_is(&driver);
}
