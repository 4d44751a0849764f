/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors of /dev/profil, each of which may be attached to other programs */
#ifndef FUZZ_DEVICES_H
#define FUZZ_DEVICES_H

#include <stdbool.h>

#define NR_DEVICES 2

/* Open all of them. False if that fails. */
bool devices_open(void);

int device_fd(unsigned int device);

/* Close the descriptor, which ends its session, and open a new one. */
bool device_renew(unsigned int device);

#endif /* FUZZ_DEVICES_H */
