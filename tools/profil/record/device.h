/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_DEVICE_H
#define PROFIL_DEVICE_H

/* Ticks a second, rounded; 0 without a driver */
unsigned int profil_device_tick_hz(void);

#endif
