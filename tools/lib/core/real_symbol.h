/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_REAL_SYMBOL_H
#define PROFIL_LIB_REAL_SYMBOL_H

/*
 * The function @name of whichever object comes after this one, the libc as a
 * rule; @slot remembers it. NULL if there is none.
 */
void *profil_real_symbol(void **slot, const char *name);

#endif
