// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What the start files of a gcc -pg program call, and programs that decide
 * themselves what is profiled
 *
 * glibc has these names, too, and inside it they are bound to each other. So all
 * of them are here, or some calls would go to one table and some to the other.
 */
#include <errno.h>

#include "fallback.h"
#include "gmon.h"
#include "monstartup.h"
#include "session.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int monstartup(unsigned long low, unsigned long high)
{
	return profil_result(profil_gmon_start(low, high), errno);
}

/* The program does not ask how it went. */
EXPORT void __monstartup(unsigned long low, unsigned long high)
{
	static const char what[] =
		"no gmon.out is written, for PROFIL_REQUIRE=1";

	if (monstartup(low, high) && errno == ENODEV)
		profil_fallback_say(what);
}

EXPORT int moncontrol(int mode)
{
	return profil_gmon_switch(mode);
}

EXPORT void _mcleanup(void)
{
	profil_gmon_finish();
}
