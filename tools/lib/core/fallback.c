// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The libc's own profil() and sprofil(), where the driver is absent
 *
 * A program that works without this library works as well with it. A message is
 * printed if PROFIL_VERBOSE=1; PROFIL_REQUIRE=1 makes the absence an error.
 * Both are ignored in a program with more privilege than its user.
 *
 * A static program has no next object. Its fallback is the libc's __profil and
 * __sprofil, if another reference, such as that of gcc -pg, has linked them in;
 * the weak references here do not.
 */
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include <sys/profil.h>

#include "core/device.h"
#include "core/driver.h"
#include "core/env.h"
#include "core/fallback.h"
#include "core/log.h"
#include "core/owner.h"
#include "core/real_symbol.h"

typedef int (*profil_fn)(unsigned short *buf, size_t bufsiz, size_t offset,
			 unsigned int scale);
typedef int (*sprofil_fn)(struct prof *profp, int profcnt, struct timeval *tvp,
			  unsigned int flags);

static void *next_profil;
static void *next_sprofil;
static bool sprofil_is_on;

#ifdef PROFIL_STATIC
__typeof__(profil) __profil;
__typeof__(sprofil) __sprofil;
#pragma weak __profil
#pragma weak __sprofil
#else
#define __profil NULL
#define __sprofil NULL
#endif

static profil_fn find_profil(void)
{
	profil_fn linked_in = __profil;

	if (linked_in)
		return linked_in;
	return profil_real_symbol(&next_profil, "profil");
}

static sprofil_fn find_sprofil(void)
{
	sprofil_fn linked_in = __sprofil;

	if (linked_in)
		return linked_in;
	return profil_real_symbol(&next_sprofil, "sprofil");
}

void profil_fallback_log(const char *what)
{
	static const char absent[] =
		"the profil driver is not loaded (sudo modprobe profil)";
	static const char denied[] = PROFIL_DEVICE
		" cannot be used (sudo chmod 666 " PROFIL_DEVICE ")";
	bool there = !access(PROFIL_DEVICE, F_OK);

	profil_log("%s: %s", there ? denied : absent, what);
}

/* Once per process: some programs switch profiling thousands of times. */
static void log_once(bool found)
{
	static atomic_bool said;
	const char *what = "using the C library's own function";

	if (!profil_env_is_on("PROFIL_VERBOSE") || atomic_exchange(&said, true))
		return;
	if (profil_env_is_on("PROFIL_REQUIRE"))
		what = "failing, since PROFIL_REQUIRE=1";
	else if (!found)
		what = "failing, since the C library has no such function";
	profil_fallback_log(what);
}

/*
 * An error if the driver still records a profile: without the device it cannot
 * be stopped, and it would count beside the libc's.
 */
static int permit(bool found)
{
	log_once(found);
	if (!found || profil_env_is_on("PROFIL_REQUIRE") ||
	    profil_driver_is_owner())
		return -ENODEV;
	return 0;
}

/* glibc separates the two: each stops only the profile that it started. */
static void stop(void)
{
	sprofil_fn next_s = sprofil_is_on ? find_sprofil() : NULL;
	profil_fn next = find_profil();

	if (next_s)
		next_s(NULL, 0, NULL, 0);
	else if (next)
		next(NULL, 0, 0, 0);
	sprofil_is_on = false;
}

static const struct owner libc = { .stop = stop };

static void note_switch(bool on)
{
	if (on)
		profil_owner_set(&libc);
	else
		profil_owner_clear(&libc);
}

int profil_fallback_profil(unsigned short *buf, size_t bufsiz, size_t offset,
			   unsigned int scale)
{
	profil_fn next = find_profil();
	int ret = permit(next);

	if (ret)
		return ret;
	if (next(buf, bufsiz, offset, scale) < 0)
		return -errno;
	note_switch(buf);
	return 0;
}

int profil_fallback_sprofil(struct prof *profp, int profcnt,
			    struct timeval *tvp, unsigned int flags)
{
	sprofil_fn next = find_sprofil();
	int ret = permit(next);

	if (ret)
		return ret;
	if (next(profp, profcnt, tvp, flags) < 0)
		return -errno;
	sprofil_is_on = profcnt > 0;
	note_switch(profcnt > 0);
	return 0;
}
