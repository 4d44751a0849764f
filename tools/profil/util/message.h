/* SPDX-License-Identifier: GPL-2.0-only */
/* Messages, as of warn(3) and err(3), without control characters */
#ifndef PROFIL_UTIL_MESSAGE_H
#define PROFIL_UTIL_MESSAGE_H

#include <err.h>

/* Print a message and exit with EXIT_PROFIL; the second function prints errno, too. */
void die_err(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));
void die_errno(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif
