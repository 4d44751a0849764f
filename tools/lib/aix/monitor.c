// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * AIX's monitor(): profiling with counters of the program's, and a file at the
 * end
 *
 * One thread at a time may be in it; another one is told so. What is on when the
 * program ends is written then, as AIX's exit() does, by a forked child into a
 * file of its own.
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

/* Functions that monstartup() has room for, as it cannot be told */
#define MANY_FUNCTIONS 65536

EXPORT struct monglobal _mondata;

enum { OFF, BUSY, ON };
static atomic_int state;

static struct monitor_profile profile;

/* What is wrong has set errno, and anything may have if nothing is. */
static int answer(const char *wrong, int saved_errno)
{
	int error = wrong ? errno : saved_errno;

	if (wrong)
		profil_log("monitor: %s", wrong);
	errno = error;
	return wrong ? -1 : 0;
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

/* What moncontrol() is to call profil() with, as far as anybody looks */
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

/* What gcc -pg has begun is given up when there is something in its place. */
static int switch_on(void)
{
	int ret = profil_ranges_start(&profile.ranges, 0);

	if (ret)
		return ret;
	profil_gmon_forget();
	profil_arcs_reset();
	ret = profil_arcs_switch(true);
	if (ret)
		profil_driver_stop();
	return ret;
}

static const char *begin(struct ranges *ranges, int functions)
{
	char *front = (char *)ranges->prof->p_buff;
	const char *wrong = profil_monitor_ranges_prepare(
		ranges, room_for_calls(functions));
	int ret;

	if (wrong)
		return wrong;
	profile.type = _mondata.prof_type;
	profile.calls = front;
	profile.nr_calls = functions;
	profile.ranges = *ranges;
	note_place();
	ret = switch_on();
	if (!ret)
		tell_mondata(&profile.ranges);
	return profil_why(ret);
}

static void forget(void)
{
	if (profile.memory)
		munmap(profile.memory, profile.size);
	profil_ranges_free(&profile.ranges);
	memset(&profile, 0, sizeof(profile));
}

static const char negative[] =
	"the room for calls is negative: make it 0 or more";

static const char *start(const struct prof *array, uint32_t nr, int functions)
{
	struct ranges ranges = { 0 };
	const char *wrong;

	if (functions < 0)
		return profil_wrong(EINVAL, negative);
	wrong = profil_why(profil_ranges_copy(&ranges, array, nr));
	if (wrong)
		return wrong;
	wrong = begin(&ranges, functions);
	if (wrong) {
		profile.ranges = ranges;
		forget();
	}
	return wrong;
}

/*
 * Stopping
 */

static const char *stop(void)
{
	int ret = profile.paused ? 0 : profil_driver_stop();
	const char *wrong;

	profil_arcs_switch(false);
	wrong = profil_monitor_files_write(&profile);
	forget();
	return ret ? profil_why(ret) : wrong;
}

/*
 * The calls
 */

static const char another[] =
	"another thread is in it: call it in one at a time";
static const char is_on[] = "profiling is on: stop it first, by monitor(0)";
static const char is_off[] = "profiling is off: there is nothing to stop";
static const char no_type[] =
	"_mondata.prof_type is not set: make it _PROF_TYPE_IS_P or _PROF_TYPE_IS_PG";

static const char *enter(int from)
{
	int seen = from;

	if (atomic_compare_exchange_strong(&state, &seen, BUSY))
		return NULL;
	if (seen == BUSY)
		return profil_wrong(EBUSY, another);
	return seen == ON ? profil_wrong(EBUSY, is_on) :
			    profil_wrong(EINVAL, is_off);
}

static const char *check_type(void)
{
	if (_mondata.prof_type == _PROF_TYPE_IS_P ||
	    _mondata.prof_type == _PROF_TYPE_IS_PG)
		return NULL;
	return profil_wrong(EINVAL, no_type);
}

static const char *try_to_stop(void)
{
	const char *wrong = enter(ON);

	if (wrong)
		return wrong;
	wrong = stop();
	atomic_store(&state, OFF);
	return wrong;
}

static const char *try_to_start(const struct prof *array, uint32_t nr,
				int functions)
{
	const char *wrong = enter(OFF);

	if (wrong)
		return wrong;
	wrong = start(array, nr, functions);
	atomic_store(&state, wrong ? OFF : ON);
	return wrong;
}

static const char *start_with(const void *low, va_list arguments)
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
		return try_to_start(array, 0, functions);
	return try_to_start(&one, 1, functions);
}

/* monitor(), as <mon.h> has it called */
EXPORT int profil_monitor(const void *low, ...)
{
	int saved = errno;
	const char *wrong = check_type();
	va_list arguments;

	if (wrong)
		return answer(wrong, saved);
	if (!low)
		return answer(try_to_stop(), saved);
	va_start(arguments, low);
	wrong = start_with(low, arguments);
	va_end(arguments);
	return answer(wrong, saved);
}

/* What monstartup() has begun ends here where no start-up code sees to it. */
__attribute__((destructor)) static void end(void)
{
	if (atomic_load(&state) == ON)
		answer(try_to_stop(), errno);
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

	if (was == on)
		return was;
	profil_arcs_switch(on);
	if (!answer(profil_why(on ? profil_ranges_start(&profile.ranges, 0) :
				    profil_driver_stop()),
		    saved))
		profile.paused = !on;
	return was;
}

static const char *start_space(struct monstartup_ranges *space)
{
	const char *wrong = profil_monstartup_ranges_fill(
		space, room_for_calls(MANY_FUNCTIONS));

	if (!wrong)
		wrong = try_to_start(space->array, space->nr, MANY_FUNCTIONS);
	return wrong;
}

static const char *start_up(struct monstartup_ranges *space, unsigned long low,
			    unsigned long high)
{
	const char *wrong = check_type();

	if (wrong)
		return wrong;
	if (low != MONSTARTUP_RANGES)
		wrong = profil_monstartup_ranges_one(space, low, high);
	else if (high)
		wrong = profil_monstartup_ranges_frags(space,
						       (struct frag *)high);
	else
		wrong = profil_monstartup_ranges_all(space);
	if (!wrong && !space->nr)
		wrong = profil_why(-EINVAL);
	return wrong ? wrong : start_space(space);
}

int profil_monitor_startup(unsigned long low, unsigned long high)
{
	struct monstartup_ranges space = { 0 };
	int saved = errno;
	const char *wrong = start_up(&space, low, high);
	int error = errno;

	profil_monstartup_ranges_free_array(&space);
	if (wrong) {
		profil_monstartup_ranges_free(&space);
		errno = error;
		return answer(wrong, saved);
	}
	profile.memory = space.counters;
	profile.size = space.size;
	return answer(NULL, saved);
}
