// SPDX-License-Identifier: GPL-2.0-only
/*
 * The three examples of the manual: the programs example_1 to example_3, which exit
 * with 0 if all calls succeed
 */
#include <limits.h>

#include "monitor.h"

static const char *program;

static bool runs(const char *suffix)
{
	char path[PATH_MAX];

	enter(0);
	snprintf(path, sizeof(path), "%s-%s", program, suffix);
	return CHILD_OK(execl(path, path, NULL));
}

/* "how to profile the main load module of a program with -p profiling" */
TEST("example 1 writes a mon out")
{
	CHECK(runs("example_1"));
	CHECK(mon_out_read("mon.out", &out));
	CHECK(hist_sum(hists) > 0);
	/*
	 * work() is called 1000 times, and start() before the profile begins.
	 */
	CHECK_EQUAL(1, out.nr_calls);
	CHECK_EQUAL(1000, out.calls[0].count);
	return true;
}

#ifndef STATIC

/* "profiles the main program and the libc.a shared library with -p" */
TEST("example 2 writes a mon out for each range")
{
	CHECK(runs("example_2"));
	CHECK(mon_out_read("mon.out", &out));
	CHECK(mon_out_read("mon.out.2", &out));
	CHECK(hist_sum(hists) > 0);
	CHECK_EQUAL(0, out.nr_calls);
	return true;
}

#endif

/* "from zit up to but not including zot with -pg profiling" */
TEST("example 3 writes a gmon out")
{
	CHECK(runs("example_3"));
	CHECK(gmon_out_read("gmon.out", &out));
	CHECK_EQUAL(1, out.nr_hists);
	CHECK(hist_sum(hists) > 0);
	CHECK_EQUAL(2000, calls_of(&out, hists->low, hists->high));
	CHECK_EQUAL(2000, calls_of(&out, 0, UINT64_MAX)); /* none of zot() */
	return true;
}

int main(int argc, char **argv)
{
	static char path[PATH_MAX];

	(void)argc;
	program = realpath(argv[0], path) ? path : argv[0];
	return tap_run();
}
