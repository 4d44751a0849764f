/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_EXIT_STATUS_H
#define PROFIL_EXIT_STATUS_H

/* Exit statuses of profil itself, as of env(1) and timeout(1) */
#define EXIT_PROFIL 125
#define EXIT_NOT_RUNNABLE 126
#define EXIT_NOT_FOUND 127

#endif
