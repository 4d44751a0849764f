/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks of the facts. A check changes nothing, and does not exit. */
#ifndef PROFIL_CHECKS_H
#define PROFIL_CHECKS_H

#include "doctor/facts.h"

/*
 * Result of a check: the state that was found, and a command that mends or changes it,
 * which may be empty; both are to be freed. @is_wrong: profil does not work, or not
 * wholly
 */
struct finding {
	bool is_wrong;
	char *text;
	char *mend;
};

/* Names of the checks, ended by NULL */
extern const char *const profil_doctor_checks[];

/* Carry out the check @name. */
struct finding profil_doctor_check(const char *name, const struct facts *facts);

#endif
