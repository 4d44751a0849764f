/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Loading and unloading the module. Functions return 0 or a negative errno
 * unless stated otherwise.
 */
#ifndef PROFIL_TEST_MODULE_H
#define PROFIL_TEST_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* The module's file. Tests that unload the module skip without it. */
#define MODULE "/profil.ko"

bool can_load(void);
int load(const char *parameters);

/* The same for the module in the file @path */
int load_file(const char *path, const char *parameters);
int unload(int flags);

/* Unload, and try again while the module is in use. */
int unload_eventually(void);

/* The number of references to the module, or -1 if it is not loaded. */
long references(void);
bool wait_for_references(long nr);
bool wait_until_unused(void);

/*
 * Wait until no page is pinned and the module has @nr references: sessions are
 * freed in the background. False after TIMEOUT_NS.
 */
bool wait_for_nothing_left(long nr);

/* Write @value, "0" or "1", to the sysctl kernel.ftrace_enabled. */
int enable_ftrace(const char *value);

/* The module's current parameters, in the form that load() takes. */
#define PARAMETERS_ROOM 160
int module_parameters(char parameters[PARAMETERS_ROOM]);

/* Save them for load_again(), which loads the module unless it is loaded. */
int save_parameters(void);
int load_again(void);

#endif /* PROFIL_TEST_MODULE_H */
