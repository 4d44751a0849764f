/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_REAL_SYMBOL_H
#define PROFIL_LIB_REAL_SYMBOL_H

/*
 * Function @name of the next object after this one, usually the libc; NULL if
 * there is none. @slot caches the result.
 */
void *profil_real_symbol(void **slot, const char *name);

#endif
