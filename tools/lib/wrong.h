/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_WRONG_H
#define PROFIL_LIB_WRONG_H

#include <errno.h>

/* A sentence on what is wrong, with errno set to what it comes to */
static inline const char *profil_wrong(int error, const char *sentence)
{
	errno = error;
	return sentence;
}

#endif
