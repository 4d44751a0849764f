/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_AUTOSTART_H
#define PROFIL_LIB_AUTOSTART_H

/*
 * Constructor that replaces the start files of gcc -pg where the libc has none.
 * It has external linkage so that mcount.S can link it in.
 */
void profil_autostart(void);

#endif
