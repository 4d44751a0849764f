// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * profil() in the default dialect and in SVR4's
 *
 * glibc's <unistd.h> declares that the buffer is never NULL; if it were included,
 * the compiler would remove the check.
 */
#include <errno.h>

#include <sys/profil.h>

#include "aix/profil_aix.h"
#include "api/dialect.h"
#include "core/one_region.h"
#include "core/result.h"

#define EXPORT __attribute__((visibility("default")))

/* NULL stops, as in manuals older than prototypes. */
static int switch_default(struct one_region *one)
{
	if (!one->buf)
		one->size = 0;
	return profil_one_region_switch(one);
}

/*
 * The manual has 16 bits of fraction, and a formula, RATIO * 0200000, that needs
 * one bit more for a RATIO of 1, a counter per 2 bytes like 0xffff.
 */
static int switch_svr4(struct one_region *one)
{
	if (one->scale != 0x10000)
		one->scale &= 0xffff;
	one->flags = PROFIL_F_STOP_AT_32767;
	return profil_one_region_switch(one);
}

/* A scale of 2 is a counter per 64 KiB of text, except for AIX and IRIX. */
static int switch_dialect(struct one_region *one)
{
	switch (profil_dialect()) {
	case PROFIL_DIALECT_AIX:
		return profil_aix_switch(one);
	case PROFIL_DIALECT_SVR4:
		return switch_svr4(one);
	case PROFIL_DIALECT_BSD:
		return profil_bsd_switch(one);
	case PROFIL_DIALECT_IRIX:
		return profil_irix_switch(one);
	default:
		return switch_default(one);
	}
}

EXPORT int profil(unsigned short *buf, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	struct one_region one = { buf, bufsiz, offset, scale, 0, false };
	int saved = errno;

	return profil_result(switch_dialect(&one), saved);
}

EXPORT int profil_svr4(unsigned short *buf, size_t bufsiz, size_t offset,
		       unsigned int scale)
{
	struct one_region one = { buf, bufsiz, offset, scale, 0, false };
	int saved = errno;

	return profil_result(switch_svr4(&one), saved);
}
