/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_MONITOR_H
#define PROFIL_LIB_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether monitor() has a profile under way, which may be switched off. */
bool profil_monitor_is_on(void);

/* moncontrol() for it: whether it was switched on before */
bool profil_monitor_switch(bool on);

/* What is no address of text, and has the other argument tell the ranges */
#define MONSTARTUP_RANGES (~0UL)

/*
 * monstartup() with counters as monitor() has them: 0, or -1 with errno set after
 * a sentence on stderr. With a @low of MONSTARTUP_RANGES @high is the address of
 * an array of struct frag, or 0 for the program and all libraries.
 */
int profil_monitor_startup(unsigned long low, unsigned long high);

#endif
