/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DL_INTERPOSE_H
#define PROFIL_LIB_DL_INTERPOSE_H

#include <stdbool.h>

typedef void *(*dlopen_fn)(const char *file, int mode);
typedef void *(*dlmopen_fn)(long space, const char *file, int mode);
typedef int (*dlclose_fn)(void *handle);

/* Whether libraries that are loaded and unloaded matter to a profile */
bool profil_dl_is_interposed(void);

/* The calls in a profiled process; @caller is their return address */
void *profil_dl_interpose_dlopen(dlopen_fn next, const char *file, int mode,
				 const void *caller);
void *profil_dl_interpose_dlmopen(dlmopen_fn next, long space, const char *file,
				  int mode, const void *caller);
int profil_dl_interpose_dlclose(dlclose_fn next, void *handle);

#endif
