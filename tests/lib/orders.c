// SPDX-License-Identifier: GPL-2.0-only
/*
 * Calls of profil(), AIX's profil(), monitor(), monstartup() and moncontrol() in all
 * orders: after each call, the profile counts that is due, and no other. Without the
 * driver, profil() and monstartup() have the C library's, and monitor() fails.
 */
#include <mon.h>

#include "../selftests/profil/common.h"
#include "process_state.h"
#include "steps.h"
#include "tap.h"

/* Each sequence of so many calls occurs, with the driver, and without. */
#define LENGTH 4
#define LENGTH_WITHOUT 3

/*
 * The model
 * @counting: the buffer that counts, if one does, or the profile for gmon.out
 * @buffer: that of the last profil(), which was that of AIX if @is_aix
 * @monitor, @gmon: a profile of monitor(), and one for gmon.out, is on, or paused
 */
enum counting { NOTHING_COUNTS, BUFFER, MONITOR, GMON };
static enum counting counting;
enum state { IS_OFF, IS_ON, IS_PAUSED };
static enum state monitor_is, gmon_is;
static bool has_driver;

/* Samples in a second for gmon.out: each monstartup() has another rate than the one before. */
static unsigned int rate;

static unsigned short buffers[2][NR_SITES];
static int buffer;
static bool is_aix;
static HISTCOUNTER counters[NUM_HIST_COUNTERS(SITES_BYTES)];

static bool control(enum state *it, bool on, enum counting counts)
{
	bool was = *it == IS_ON;

	if (*it == IS_OFF || was == on)
		return was;
	*it = on ? IS_ON : IS_PAUSED;
	if (on)
		counting = counts;
	else if (it == &monitor_is || counting == counts)
		counting = NOTHING_COUNTS;
	return was;
}

/* moncontrol() is about the profile of monitor(), if there is one. */
static bool controls(bool on)
{
	bool was = monitor_is != IS_OFF ? control(&monitor_is, on, MONITOR) :
					  control(&gmon_is, on, GMON);

	CHECK_EQUAL(was, moncontrol(on));
	return true;
}

static bool resume(void)
{
	return controls(true);
}

static bool pause_it(void)
{
	return controls(false);
}

static bool start_profil(void)
{
	buffer = !buffer;
	counting = BUFFER;
	is_aix = false;
	CHECK_EQUAL(0, plain_profil(buffers[buffer], sizeof(buffers[buffer]),
				    (uintptr_t)profil_sites, SITE_SCALE(2)));
	return true;
}

static bool stop_profil(void)
{
	counting = NOTHING_COUNTS;
	CHECK_EQUAL(0, plain_profil(NULL, 0, 0, 0));
	return true;
}

/* AIX's replaces no profile, and stops its own alone. */
static bool start_aix(void)
{
	int other = !buffer;

	if (counting == NOTHING_COUNTS) {
		buffer = other;
		counting = BUFFER;
		is_aix = true;
	}
	CHECK_EQUAL(0, profil(buffers[other], sizeof(buffers[other]),
			      (uintptr_t)profil_sites, SITE_SCALE(2)));
	return true;
}

static bool stop_aix(void)
{
	if (counting == BUFFER && is_aix)
		counting = NOTHING_COUNTS;
	CHECK_EQUAL(0, profil(NULL, 0, 0, 0));
	return true;
}

/* monitor() tells why it refuses a call. */
static bool monitors(caddr_t low, bool is_good)
{
	int result, null = open("/dev/null", O_WRONLY), told = dup(2);

	dup2(is_good ? told : null, 2);
	result = monitor(low, (caddr_t)profil_sites + SITES_BYTES, counters,
			 ARRAY_LENGTH(counters), 0);
	dup2(told, 2);
	close(told);
	close(null);
	CHECK_EQUAL(is_good ? 0 : -1, result);
	return true;
}

static bool start_monitor(void)
{
	bool starts = has_driver && monitor_is == IS_OFF;

	CHECK(monitors((caddr_t)profil_sites, starts));
	CHECK(has_driver || errno == ENODEV);
	if (starts) {
		monitor_is = IS_ON;
		gmon_is = IS_OFF;
		counting = MONITOR;
	}
	return true;
}

/* One that is paused has no profile to end, and a later one continues. */
static bool stop_monitor(void)
{
	CHECK(monitors(NULL, monitor_is != IS_OFF));
	if (monitor_is == IS_ON)
		counting = NOTHING_COUNTS;
	monitor_is = IS_OFF;
	return true;
}

static bool start_gmon(void)
{
	rate = rate == 500 ? 1000 : 500;
	setenv("PROFIL_GMON_RATE", rate == 500 ? "500" : "1000", true);
	CHECK_EQUAL(0, monstartup(profil_sites, profil_sites + SITES_BYTES));
	gmon_is = IS_ON;
	counting = GMON;
	return true;
}

void _mcleanup(void);

static bool stop_gmon(void)
{
	_mcleanup();
	if (gmon_is && counting == GMON)
		counting = NOTHING_COUNTS;
	gmon_is = IS_OFF;
	return true;
}

/* The first one is called before there was a profile. */
static const struct {
	const char *name;
	bool (*run)(void);
} calls[] = {
	{ "moncontrol(1)", resume },	 { "moncontrol(0)", pause_it },
	{ "profil()", start_profil },	 { "profil(0)", stop_profil },
	{ "monitor()", start_monitor },	 { "monitor(0)", stop_monitor },
	{ "monstartup()", start_gmon },	 { "_mcleanup()", stop_gmon },
	{ "AIX's profil()", start_aix }, { "AIX's profil(0)", stop_aix },
};

/* With the driver, those of AIX's profil() are in tests/lib/aix.c. */
static int nr_calls = ARRAY_LENGTH(calls);

/* The C library profiles by an interval timer. */
static bool is_on(void)
{
	struct itimerval timer;

	getitimer(ITIMER_PROF, &timer);
	return driver_is_on() || timer.it_interval.tv_sec ||
	       timer.it_interval.tv_usec;
}

static __u64 samples_of(const void *memory, size_t size)
{
	return counters_sum(memory, 2, size / 2);
}

static bool counts_what_is_due(void)
{
	memset(buffers, 0, sizeof(buffers));
	memset(counters, 0, sizeof(counters));
	CHECK_EQUAL(counting != NOTHING_COUNTS, is_on());
	if (has_driver && counting == GMON)
		CHECK_EQUAL(NSEC_PER_SEC / rate, driver_period_ns());
	if (counting == BUFFER)
		CHECK(spin_until(3, buffers[buffer], 2, 1));
	if (counting == MONITOR)
		CHECK(EVENTUALLY(samples_of(counters, sizeof(counters)),
				 spin(3, NSEC_PER_MSEC)));
	CHECK(counting == MONITOR || !samples_of(counters, sizeof(counters)));
	CHECK(!samples_of(buffers[!buffer], sizeof(buffers[0])));
	CHECK(counting == BUFFER ||
	      !samples_of(buffers[buffer], sizeof(buffers[0])));
	return true;
}

/* A sequence in which each one of @length calls occurs once (de Bruijn) */
static int word[LENGTH + 1], length;
static int last[LENGTH];

static bool make_call(int call)
{
	memmove(last, last + 1, sizeof(last) - sizeof(*last));
	last[LENGTH - 1] = call;
	if (calls[call].run() && counts_what_is_due())
		return true;
	for (int i = 0; i < LENGTH; i++)
		tap_note("... %s", calls[last[i]].name);
	return false;
}

static bool make_calls(int at, int period)
{
	if (at > length) {
		for (int i = 1; i <= period && length % period == 0; i++)
			if (!make_call(word[i]))
				return false;
		return true;
	}
	word[at] = word[at - period];
	if (!make_calls(at + 1, period))
		return false;
	while (++word[at] < nr_calls)
		if (!make_calls(at + 1, at))
			return false;
	return true;
}

bool tap_may_leave(const char *name)
{
	return strstr(name, "gmon.out") && !strstr(name, ".part");
}

/* Memory where that of a profile was that has failed */
#define PIECES 256
#define PIECE 0x10000

/* monstartup() maps counters for two ranges, and monitor() refuses their order. */
static bool fails_to_start(void)
{
	caddr_t sites = (caddr_t)profil_sites;
	struct frag frags[] = {
		{ sites + SITE_BYTES, sites + 2 * SITE_BYTES },
		{ sites, sites + SITE_BYTES },
		{ NULL, NULL },
	};
	int null = open("/dev/null", O_WRONLY), told = dup(2), result;

	_mondata.prof_type = _PROF_TYPE_IS_P;
	dup2(null, 2);
	result = monstartup((caddr_t)-1, (caddr_t)frags);
	dup2(told, 2);
	close(told);
	close(null);
	return result == -1;
}

TEST("a start that has failed leaves memory alone that is mapped later")
{
	char *pieces[PIECES];

	for (int round = 0; round < 3; round++) {
		CHECK(fails_to_start());
		for (int i = 0; !round && i < PIECES; i++) {
			pieces[i] = new_pages(PIECE);
			memset(pieces[i], POISON, PIECE);
		}
	}
	for (int i = 0; i < PIECES; i++)
		CHECK(all_bytes(pieces[i], POISON, PIECE));
	return true;
}

TEST("in each order of calls the profile counts that is due, and no other")
{
	int device = device_open();

	_mondata.prof_type = _PROF_TYPE_IS_PG;
	has_driver = device >= 0;
	close(device);
	length = has_driver ? LENGTH : LENGTH_WITHOUT;
	nr_calls -= has_driver ? 2 : 0;
	return make_calls(1, 1);
}
