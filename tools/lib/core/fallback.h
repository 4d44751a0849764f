/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_FALLBACK_H
#define PROFIL_LIB_FALLBACK_H

#include <stddef.h>
#include <sys/time.h>

struct prof;

/*
 * The libc's own functions, called where the driver is absent: 0 or -errno.
 * -ENODEV: the libc has no such function, or PROFIL_REQUIRE=1 forbids it.
 */
int profil_fallback_profil(unsigned short *buf, size_t bufsiz, size_t offset,
			   unsigned int scale);
int profil_fallback_sprofil(struct prof *profp, int profcnt,
			    struct timeval *tvp, unsigned int flags);
/* Print why the driver is absent, and the consequence, @what. */
void profil_fallback_log(const char *what);

#endif
