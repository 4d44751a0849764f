/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RUN_H
#define PROFIL_RUN_H

#include "option.h"

/* profil run: run a command, and print where it spent its time */
extern const struct verb profil_run_verb;

#endif
