/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DEVICE_H
#define PROFIL_DEVICE_H

#include <stdint.h>

#include <linux/profil.h>

/*
 * Open the device, and ask the driver for its version; the descriptor. Exits with a
 * message without a driver.
 */
int profil_device_open(struct profil_version *version);

/*
 * Period of @hz samples a second of CPU time. Exits if the driver does not accept
 * it, with the range that it accepts.
 */
uint64_t profil_device_period(const struct profil_version *version, long hz);

/* Ticks a second, rounded; 0 without a driver */
unsigned int profil_device_tick_hz(void);

#endif
