// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Functions for the start files of gcc -pg, and for programs that choose
 * themselves which text is profiled
 *
 * glibc has functions of these names, bound to each other. This library replaces
 * all of them; otherwise calls would be split between two tables.
 */
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "aix/monitor.h"
#include "core/fallback.h"
#include "core/log.h"
#include "core/result.h"
#include "gprof/gmon.h"
#include "mon/mon.h"

#define EXPORT __attribute__((visibility("default")))

static int start(unsigned long low, unsigned long high)
{
	int saved = errno;

	if (low == MONSTARTUP_RANGES)
		return profil_result(profil_gmon_start_all(), saved);
	return profil_result(profil_gmon_start(low, high), saved);
}

/* An int of -1 comes from a caller without a declaration. */
static unsigned long address_of(unsigned long argument)
{
	return argument == UINT_MAX ? MONSTARTUP_RANGES : argument;
}

static void log_refused(void)
{
	int error = errno;

	profil_log("the range cannot be profiled: %s", strerror(error));
	errno = error;
}

/* A program that has set prof_type expects AIX's behaviour. */
EXPORT int monstartup(unsigned long first, unsigned long high)
{
	unsigned long low = address_of(first);
	int ret;

	if (_mondata.prof_type == _PROF_TYPE_IS_P ||
	    (low == MONSTARTUP_RANGES && high))
		return profil_monitor_startup(low, high);
	ret = start(low, high);
	if (ret && _mondata.prof_type)
		log_refused();
	return ret;
}

/* For the start files, which ignore errors. As on AIX, they set prof_type for -pg. */
EXPORT void __monstartup(unsigned long low, unsigned long high)
{
	static const char what[] =
		"no gmon.out is written, since PROFIL_REQUIRE=1";

	if (start(low, high) && errno == ENODEV)
		profil_fallback_log(what);
	_mondata.prof_type = _PROF_TYPE_IS_PG;
}

/* Resume, or pause if @mode is 0: whether profiling was on. */
EXPORT int moncontrol(int mode)
{
	if (profil_monitor_is_on())
		return profil_monitor_switch(mode);
	return profil_gmon_switch(mode);
}

/* Write the files and end the profile. */
EXPORT void _mcleanup(void)
{
	profil_gmon_finish();
}
