/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_AUTOSTART_H
#define PROFIL_LIB_AUTOSTART_H

/*
 * Where the libc has no start files for gcc -pg, the constructor that does what
 * they do. It has a name for mcount() to link it in by.
 */
void profil_autostart(void);

#endif
