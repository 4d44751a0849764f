/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_INTERRUPT_H
#define PROFIL_INTERRUPT_H

#include <stdbool.h>

/*
 * From now on, the first SIGINT, SIGTERM, SIGHUP or SIGQUIT only makes
 * profil_interrupted() true: a profile is printed, but no more names are looked
 * up. The next one of the same kind ends the program.
 */
void profil_interrupt_begin(void);
bool profil_interrupted(void);

#endif
