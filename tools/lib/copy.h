/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_COPY_H
#define PROFIL_LIB_COPY_H

#include <stddef.h>

/* Read and write memory that may not be there: 0, or -EFAULT if it is not. */
int profil_copy_from(void *to, const void *caller, size_t size);
int profil_copy_to(void *caller, const void *from, size_t size);

#endif
