/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loading and unloading the module, and what it has hooked. Each call that can
 * fail gives 0 or a negative errno.
 */
#ifndef PROFIL_TEST_MODULE_H
#define PROFIL_TEST_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* Where the module can be loaded from again; else it is not unloaded. */
#define MODULE "/profil.ko"

bool can_load(void);
int load(const char *parameters);
int unload(int flags);

/* Repeats while the module is in use, and adds how often it was to *refusals. */
int unload_eventually(unsigned int *refusals);

/* References to the module, or -1 if it is not loaded. */
long references(void);
bool wait_until_unused(void);

/* What it has been loaded with, for load(). */
#define PARAMETERS_ROOM 160
int module_parameters(char parameters[PARAMETERS_ROOM]);

#endif /* PROFIL_TEST_MODULE_H */
