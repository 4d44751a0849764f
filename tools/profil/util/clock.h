/* SPDX-License-Identifier: GPL-2.0-only */
/* Times in nanoseconds */
#ifndef PROFIL_CLOCK_H
#define PROFIL_CLOCK_H

#include <time.h>

#include "util/base.h"

/* Nanoseconds of a second */
#define SECOND 1000000000ULL

static inline uint64_t profil_nanoseconds(struct timespec time)
{
	return time.tv_sec * SECOND + time.tv_nsec;
}

/* Nanoseconds of @clock */
static inline uint64_t profil_clock_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return profil_nanoseconds(now);
}

/* The same of CLOCK_MONOTONIC */
static inline uint64_t profil_now(void)
{
	return profil_clock_now(CLOCK_MONOTONIC);
}

/* What CLOCK_REALTIME is ahead of the time since the boot; a step of it changes that. */
static inline int64_t profil_clock_ahead(void)
{
	return profil_clock_now(CLOCK_REALTIME) -
	       profil_clock_now(CLOCK_BOOTTIME);
}

#endif
