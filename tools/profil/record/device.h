/* SPDX-License-Identifier: GPL-2.0-only */
/* The device /dev/profil, and the opening of its tables */
#ifndef PROFIL_DEVICE_H
#define PROFIL_DEVICE_H

#include "record/table.h"

struct record_request;

/*
 * Open a table of the driver, which begins to count, and map it. Exits with a message if
 * that is refused.
 */
struct table *profil_device_open(const struct record_request *request);

/* Map it in a forked child, which has the descriptor and not the mapping. */
void profil_device_map(struct table *table);
void profil_device_close(struct table *table);

#endif
