/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What gcc -pg has called: the names are the libc's
 */
#ifndef PROFIL_LIB_MONSTARTUP_H
#define PROFIL_LIB_MONSTARTUP_H

/*
 * monstartup: profile the text from @low up to @high: 0, or -1 with errno set.
 * moncontrol: go on, or pause with 0; whether it was on.
 * _mcleanup: write the files, and end it.
 */
int monstartup(unsigned long low, unsigned long high);
void __monstartup(unsigned long low, unsigned long high);
int moncontrol(int mode);
void _mcleanup(void);

#endif
