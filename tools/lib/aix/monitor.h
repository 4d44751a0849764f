/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_MONITOR_H
#define PROFIL_LIB_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a profile of monitor() is on, perhaps paused. */
bool profil_monitor_is_on(void);

/* Resume or pause that profile; whether it was running before. */
bool profil_monitor_switch(bool on);

/* First argument of monstartup(): the second one gives the ranges */
#define MONSTARTUP_RANGES (~0UL)

/*
 * monstartup() with counters of monitor()'s kind: 0, or -1 with errno set after a
 * message on the standard error. If @low is MONSTARTUP_RANGES, @high is the
 * address of an array of struct frag, or 0 for the program and all libraries.
 */
int profil_monitor_startup(unsigned long low, unsigned long high);

#endif
