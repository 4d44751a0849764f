/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_REPORT_H
#define PROFIL_REPORT_H

#include "option.h"

/* profil report: print the profile in files that programs have written */
extern const struct verb profil_report_verb;

#endif
