/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_MONITOR_H
#define PROFIL_LIB_MONITOR_H

#include <stdbool.h>
#include <stdint.h>

/* Whether monitor() has a profile under way, which may be switched off. */
bool profil_monitor_is_on(void);

/* moncontrol() for it: whether it was switched on before */
bool profil_monitor_switch(bool on);

/* monstartup() for _PROF_TYPE_IS_P: 0, or -1 after a sentence on stderr */
int profil_monitor_startup(unsigned long low, unsigned long high);

#endif
