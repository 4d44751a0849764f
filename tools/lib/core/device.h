/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DEVICE_H
#define PROFIL_LIB_DEVICE_H

#include <linux/profil.h>

/*
 * Both return 0 or -errno. -ENODEV: the driver is absent, for any reason; the
 * driver itself never returns -ENODEV.
 */
int profil_device(unsigned long command, void *argument);
int profil_device_version(struct profil_version *version);

#endif
