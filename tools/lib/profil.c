// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * profil(): one region of 16-bit counters
 *
 * glibc's <unistd.h> declares that the buffer is never NULL; with it included,
 * the compiler would not look.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include <sys/profil.h>

#include "fallback.h"
#include "session.h"

#define EXPORT __attribute__((visibility("default")))

/* A scale of 2 is 64 KiB of text to a counter here, never the overflow bin. */
static int start_region(unsigned short *buf, size_t bufsiz, size_t offset,
			unsigned int scale)
{
	struct profil_region region = {
		.base = (uintptr_t)buf,
		.size = bufsiz,
		.offset = offset,
		.scale = scale,
	};
	struct profil_start start = {
		.size = sizeof(start),
		.width = sizeof(*buf),
		.nr_regions = 1,
		.regions = (uintptr_t)&region,
	};

	return profil_session_start(&start);
}

static int switch_profile(unsigned short *buf, size_t bufsiz, size_t offset,
			  unsigned int scale)
{
	bool on = buf && bufsiz >= sizeof(*buf) && scale > 1;
	int ret = on ? start_region(buf, bufsiz, offset, scale) :
		       profil_session_stop();

	if (ret == -ENODEV)
		return profil_fallback_profil(buf, bufsiz, offset, scale);
	if (ret)
		profil_session_stop();
	return ret;
}

EXPORT int profil(unsigned short *buf, size_t bufsiz, size_t offset,
		  unsigned int scale)
{
	int saved = errno;

	return profil_result(switch_profile(buf, bufsiz, offset, scale), saved);
}
