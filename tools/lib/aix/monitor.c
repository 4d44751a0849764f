// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AIX's monitor(): profiling with counters of the program's, and a file at the
 * end
 *
 * A call in a second thread at the same time fails. A profile that is on when the
 * program exits is written then, as by AIX's exit(); a forked child writes a file
 * of its own.
 */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "aix/monitor.h"
#include "aix/monitor_error.h"
#include "aix/monitor_files.h"
#include "aix/monitor_ranges.h"
#include "aix/monstartup_ranges.h"
#include "core/driver.h"
#include "core/log.h"
#include "gprof/gmon.h"
#include "gprof/mcount/arcs.h"

#define EXPORT __attribute__((visibility("default")))

/* Functions with room for calls in monstartup(), which has no such argument */
#define MANY_FUNCTIONS 65536

EXPORT struct monglobal _mondata;

enum { OFF, BUSY, ON };
static atomic_int state;

static struct monitor_profile profile;

/**
 * struct unwritten - the file that could not be written when the profile ended
 * @path: its path, or empty if the error is of another kind
 * @variable: name of the variable that sets another path
 */
struct unwritten {
	char path[OUTPUT_PATH_MAX];
	const char *variable;
};

/* The libc's convention: -1 with errno set, or 0 with errno as it was */
static int result(int ret, int saved_errno)
{
	if (ret)
		profil_log("monitor: %s", profil_monitor_sentence(ret));
	errno = ret ? profil_monitor_errno(ret) : saved_errno;
	return ret ? -1 : 0;
}

/*
 * Starting
 */

/* Room at the front of the first range's counters */
static size_t room_for_calls(int functions)
{
	if (_mondata.prof_type == _PROF_TYPE_IS_P)
		return functions * sizeof(struct poutcnt);
	return functions;
}

/* Set the arguments of profil() in _mondata, for programs that read them. */
static void tell_mondata(const struct ranges *ranges)
{
	const struct prof *first = ranges->prof;

	_mondata.mon_size = first->p_bufsize;
	_mondata.mon_buffer = first->p_buff;
	_mondata.mon_offset = (uintptr_t)first->p_low;
	_mondata.mon_scale = first->p_scale;
	if (ranges->nr == 1)
		return;
	_mondata.mon_size = UINT_MAX;
	_mondata.mon_buffer = ranges->prof;
	_mondata.mon_offset = 0;
	_mondata.mon_scale = 0;
}

static void note_place(void)
{
	const char *prefix = secure_getenv("GMON_OUT_PREFIX");

	profil_output_path_set(&profile.output,
			       prefix && *prefix ? prefix : "gmon.out");
	profile.numbered = prefix && *prefix;
}

/* Once a new profile is on, discard the one that gcc -pg has started. */
static int switch_on(bool is_new)
{
	int ret = profil_ranges_start(&profile.ranges, 0);

	if (ret)
		return ret;
	if (is_new) {
		profil_gmon_forget();
		profil_arcs_reset();
	}
	ret = profil_arcs_switch(true);
	if (ret)
		profil_driver_stop();
	return ret;
}

static int begin(struct ranges *ranges, int functions)
{
	size_t room = room_for_calls(functions);
	char *front = (char *)ranges->prof->p_buff;
	int ret = profil_monitor_ranges_prepare(ranges, room);

	if (ret)
		return ret;
	profile.type = _mondata.prof_type;
	profile.calls = front;
	profile.nr_calls = functions;
	profile.ranges = *ranges;
	note_place();
	ret = switch_on(true);
	if (!ret)
		tell_mondata(&profile.ranges);
	return ret;
}

static void forget(void)
{
	if (profile.memory)
		munmap(profile.memory, profile.size);
	profil_ranges_free(&profile.ranges);
	memset(&profile, 0, sizeof(profile));
}

static int start(const struct prof *array, uint32_t nr, int functions)
{
	struct ranges ranges = { 0 };
	int ret;

	if (functions < 0)
		return MONITOR_NEGATIVE;
	ret = profil_ranges_copy(&ranges, array, nr);
	if (ret)
		return ret;
	ret = begin(&ranges, functions);
	if (ret) {
		profile.ranges = ranges;
		forget();
	}
	return ret;
}

/*
 * Stopping
 */

static int stop(struct unwritten *unwritten)
{
	bool mon = profile.type == _PROF_TYPE_IS_P;
	int ret = profile.paused ? 0 : profil_driver_stop();
	int written;

	profil_arcs_switch(false);
	written = profil_monitor_files_write(&profile, unwritten->path);
	unwritten->variable = mon ? "PROFDIR" : "GMON_OUT_PREFIX";
	forget();
	if (ret)
		*unwritten->path = '\0';
	return ret ? ret : written;
}

/*
 * The calls
 */

static int enter(int from)
{
	int seen = from;

	if (atomic_compare_exchange_strong(&state, &seen, BUSY))
		return 0;
	if (seen == BUSY)
		return MONITOR_BUSY;
	return seen == ON ? MONITOR_IS_ON : MONITOR_IS_OFF;
}

static int check_type(void)
{
	if (_mondata.prof_type == _PROF_TYPE_IS_P ||
	    _mondata.prof_type == _PROF_TYPE_IS_PG)
		return 0;
	return MONITOR_NO_TYPE;
}

static int try_to_stop(struct unwritten *unwritten)
{
	int ret = enter(ON);

	if (ret)
		return ret;
	ret = stop(unwritten);
	atomic_store(&state, OFF);
	return ret;
}

/* The path is on the stack: another thread may call monitor() meanwhile. */
static int result_of_stop(int saved_errno)
{
	static const char cannot_be_written[] =
		"monitor: %s cannot be written (%s): set %s to another path";
	struct unwritten unwritten;
	int ret;

	*unwritten.path = '\0';
	ret = try_to_stop(&unwritten);
	if (!ret || !*unwritten.path)
		return result(ret, saved_errno);
	profil_log(cannot_be_written, unwritten.path, strerror(-ret),
		   unwritten.variable);
	errno = -ret;
	return -1;
}

/* @space: of the counters, which ends with the profile; NULL for the program's own */
static int try_to_start(const struct prof *array, uint32_t nr, int functions,
			const struct monstartup_ranges *space)
{
	int ret = enter(OFF);

	if (ret)
		return ret;
	ret = start(array, nr, functions);
	if (!ret && space) {
		profile.memory = space->counters;
		profile.size = space->size;
	}
	atomic_store(&state, ret ? OFF : ON);
	return ret;
}

static int start_with(const void *low, va_list arguments)
{
	struct prof one = { .p_low = (char *)low };
	const struct prof *array;
	int functions;

	one.p_high = va_arg(arguments, char *);
	one.p_buff = va_arg(arguments, HISTCOUNTER *);
	one.p_bufsize = va_arg(arguments, int);
	functions = va_arg(arguments, int);
	array = (const struct prof *)one.p_buff;
	if (one.p_bufsize == -1)
		return try_to_start(array, 0, functions, NULL);
	return try_to_start(&one, 1, functions, NULL);
}

/* <mon.h> binds monitor() to this name. */
EXPORT int profil_monitor(const void *low, ...)
{
	int saved = errno;
	int ret = check_type();
	va_list arguments;

	if (ret)
		return result(ret, saved);
	if (!low)
		return result_of_stop(saved);
	va_start(arguments, low);
	ret = start_with(low, arguments);
	va_end(arguments);
	return result(ret, saved);
}

/* Also ends a profile of monstartup() in a program without start files of -pg. */
__attribute__((destructor)) static void end(void)
{
	if (atomic_load(&state) == ON)
		result_of_stop(errno);
	else
		profil_gmon_finish();
}

bool profil_monitor_is_on(void)
{
	return atomic_load(&state) == ON;
}

bool profil_monitor_switch(bool on)
{
	bool was = !profile.paused;
	int saved = errno;
	int ret;

	if (was == on)
		return was;
	if (on) {
		ret = switch_on(false);
	} else {
		profil_arcs_switch(false);
		ret = profil_driver_stop();
	}
	if (!result(ret, saved))
		profile.paused = !on;
	return was;
}

static int start_space(struct monstartup_ranges *space)
{
	int ret = profil_monstartup_ranges_fill(space,
						room_for_calls(MANY_FUNCTIONS));

	if (!ret)
		ret = try_to_start(space->array, space->nr, MANY_FUNCTIONS,
				   space);
	return ret;
}

static int start_ranges(struct monstartup_ranges *space, unsigned long low,
			unsigned long high)
{
	int ret = check_type();

	if (ret)
		return ret;
	if (low != MONSTARTUP_RANGES)
		ret = profil_monstartup_ranges_one(space, low, high);
	else if (high)
		ret = profil_monstartup_ranges_frags(space,
						     (struct frag *)high);
	else
		ret = profil_monstartup_ranges_all(space);
	if (!ret && !space->nr)
		ret = -EINVAL;
	return ret ? ret : start_space(space);
}

int profil_monitor_startup(unsigned long low, unsigned long high)
{
	struct monstartup_ranges space = { 0 };
	int saved = errno;
	int ret = start_ranges(&space, low, high);

	profil_monstartup_ranges_free_array(&space);
	if (ret)
		profil_monstartup_ranges_free(&space);
	return result(ret, saved);
}
