/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_USER_COPY_H
#define PROFIL_LIB_USER_COPY_H

#include <stddef.h>

/* Copy from or to memory that may not be accessible: 0 or -EFAULT. */
int profil_user_copy_from(void *to, const void *caller, size_t size);
int profil_user_copy_to(void *caller, const void *from, size_t size);

#endif
