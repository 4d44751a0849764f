/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sentences on what is wrong with a call of monitor() or monstartup() */
#ifndef PROFIL_LIB_MONITOR_ERROR_H
#define PROFIL_LIB_MONITOR_ERROR_H

#include <errno.h>

/* @sentence, with errno set to @error */
const char *profil_wrong(int error, const char *sentence);

/* The sentence for -errno, with errno set; NULL for 0 */
const char *profil_why(int error);

#endif
