/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The libc's functions that code compiled with gcc -pg calls
 */
#ifndef PROFIL_LIB_MONSTARTUP_H
#define PROFIL_LIB_MONSTARTUP_H

/*
 * monstartup: profile the text from @low up to @high: 0, or -1 with errno set.
 * moncontrol: resume, or pause if @mode is 0: whether profiling was on.
 * _mcleanup: write the files and end the profile.
 */
int monstartup(unsigned long low, unsigned long high);
void __monstartup(unsigned long low, unsigned long high);
int moncontrol(int mode);
void _mcleanup(void);

#endif
