/* SPDX-License-Identifier: GPL-2.0-only */
/* Users whose processes share limits of pinned memory */
#ifndef TORTURE_USERS_H
#define TORTURE_USERS_H

#include <stdbool.h>

#define FIRST_USER 71000
#define NR_USERS 4

/*
 * True if no page is charged to the users, after all of their processes have
 * ended. Needs root and the driver.
 */
bool users_have_nothing_pinned(void);

#endif /* TORTURE_USERS_H */
