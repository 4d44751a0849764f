/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DEVICE_H
#define PROFIL_DEVICE_H

#include <stdint.h>

#include <linux/profil.h>

/* Ask the driver what it is; if there is none to ask, say so and exit. */
void profil_device_version(struct profil_version *version);

/*
 * The period for @hz samples a second of CPU time. Exits with the range that
 * the driver takes if it does not take this.
 */
uint64_t profil_device_period(const struct profil_version *version, long hz);

/* Ticks a second, to the nearest; 0 if there is no driver to ask */
unsigned int profil_device_tick_hz(void);

#endif
