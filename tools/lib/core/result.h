/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_RESULT_H
#define PROFIL_LIB_RESULT_H

#include <errno.h>

/*
 * Result of a function with a libc's name: -1 with errno set for a @ret of
 * -errno, or 0 with errno as it was before, @saved_errno.
 */
static inline int profil_result(int ret, int saved_errno)
{
	errno = ret < 0 ? -ret : saved_errno;
	return ret < 0 ? -1 : 0;
}

#endif
