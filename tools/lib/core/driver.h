/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DRIVER_H
#define PROFIL_LIB_DRIVER_H

#include <stdbool.h>

#include "core/device.h"

/*
 * A profile of the program's own, recorded by the driver. Both return 0 or
 * -errno, -ENODEV where the driver is absent.
 *
 * start: replaces the profile that is on, and leaves it as it is on an error.
 */
int profil_driver_start(struct profil_start *start);
int profil_driver_stop(void);

/* Whether the driver records a profile that profil_driver_start() started. */
bool profil_driver_is_owner(void);

#endif
