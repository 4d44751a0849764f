// SPDX-License-Identifier: GPL-2.0-only
/* Errors of monitor() and monstartup(), and the name of the file */
#include "monitor.h"
#include "process_state.h"

/*
 * "sends an error message to stderr and returns -1": one line, with @word; errno has
 * the reason.
 */
#define REFUSES(error, word, call)                                   \
	do {                                                         \
		int file_ = capture(), ret_ = ((errno = 0), (call)); \
		int errno_ = errno;                                  \
		CHECK(says(file_, word) && ret_ == -1);              \
		CHECK_EQUAL(error, errno_);                          \
	} while (0)

/* Send messages to a file, up to says(): another descriptor of stderr. */
static int capture(void)
{
	int file = memfd_create("stderr", 0), saved = dup(STDERR_FILENO);

	dup2(file, STDERR_FILENO);
	close(file);
	return saved;
}

static bool says(int saved, const char *word)
{
	char text[4096] = "";
	const char *end;

	CHECK(pread(STDERR_FILENO, text, sizeof(text) - 1, 0) >= 0);
	dup2(saved, STDERR_FILENO);
	close(saved);
	tap_note("%s", text);
	end = strchr(text, '\n');
	return end && !end[1] && strstr(text, word);
}

/* Refuses the two ranges with one member changed. */
#define REFUSES_WITH(word, ...)                         \
	do {                                            \
		set_ranges();                           \
		__VA_ARGS__;                            \
		REFUSES(EINVAL, word, start_ranges(0)); \
	} while (0)

/*
 * "in ascending order of the program addresses"; "may not overlap"; "must define a
 * single contiguous buffer area"
 */
TEST("bad ranges are refused")
{
	enter(p.type);
	REFUSES_WITH("overlap", ranges[0].p_high = low_of(9));
	REFUSES_WITH("descend", ranges[1].p_low = low_of(0),
		     ranges[1].p_high = low_of(1));
	REFUSES_WITH("range", ranges[1].p_high = ranges[1].p_low);
	REFUSES_WITH("empty", ranges[0].p_high = NULL);
	REFUSES_WITH("contiguous", ranges[1].p_buff++);
	REFUSES_WITH("contiguous", ranges[1].p_buff = counters);
	return !driver_is_on();
}

/* "neither -1 [...] nor +1 [...], an error is returned" */
TEST("monitor without prof type is refused")
{
	const struct frag frags[] = { { low_of(2), low_of(4) }, { 0 } };

	enter(0);
	REFUSES(EINVAL, "prof_type", monitor_sites(SITES_COUNTERS, 0));
	REFUSES(EINVAL, "prof_type", stop_sites());
	REFUSES(EINVAL, "prof_type", monstartup((void *)-1, frags));
	_mondata.prof_type = 2;
	REFUSES(EINVAL, "prof_type", monitor_sites(SITES_COUNTERS, 0));
	return !driver_is_on();
}

/* "If an error is found, the monitor subroutine sends an error message" */
TEST("bad arguments are reported")
{
	char *low = low_of(2), *high = low_of(4);
	char *fixed = new_pages(page_size());

	enter(p.type);
	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	REFUSES(EINVAL, "range", monitor(high, low, counters, 64, 0));
	REFUSES(EINVAL, "range", monitor(low, low, counters, 64, 0));
	REFUSES(EINVAL, "counters", monitor(low, high, counters, 0, 0));
	REFUSES(EINVAL, "counters", monitor(low, high, counters, -5, 0));
	REFUSES(EINVAL, "negative", monitor(low, high, counters, 64, -1));
	REFUSES(EINVAL, "room for calls", monitor(low, high, counters, 64, 16));
	REFUSES(EINVAL, "too few", monitor(low, low + 200000, counters, 2, 0));
	REFUSES(EFAULT, "writable", monitor(low, high, fixed, 64, 0));
	REFUSES(EFAULT, "writable", monitor(low, high, (void *)16, 64, 0));
	REFUSES(EFAULT, "array", monitor(low, high, (void *)16, -1, 0));
	REFUSES(EINVAL, "odd", monitor(low, high, (char *)counters + 1, 64, 0));
	CHECK(!driver_is_on());
	errno = EDOM;
	CHECK_EQUAL(0, monitor(low, high, counters, 64, 0));
	CHECK_EQUAL(EDOM, errno);
	return true;
}

TEST("bad arguments of monstartup are reported")
{
	const struct frag bad[] = { { low_of(4), low_of(2) }, { 0 } };
	const struct frag none[] = { { 0 } };

	enter(p.type);
	REFUSES(EINVAL, "range", monstartup(4096, 4096));
	REFUSES(EFAULT, "frag", monstartup((void *)-1, (void *)8));
	REFUSES(EINVAL, "range", monstartup((void *)-1, bad));
	REFUSES(EINVAL, "empty", monstartup((void *)-1, none));
	_mondata.prof_type = pg.type;
	REFUSES(EINVAL, "range", monstartup(4096, 4096));
	return true;
}

/* Starting twice and stopping twice are errors. */
TEST("start and stop must alternate")
{
	enter(p.type);
	REFUSES(EINVAL, "off already", stop_sites());
	CHECK(!wrote(&p));
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	REFUSES(EBUSY, "monitor(0)", monitor_sites(SITES_COUNTERS, 0));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, stop_sites());
	REFUSES(EINVAL, "off already", stop_sites());
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	return !stop_sites();
}

TEST("an unwritable file is reported")
{
	enter(p.type);
	CHECK_EQUAL(0, symlink("elsewhere", file_of(&p, getpid(), "")));
	CHECK_EQUAL(0, mkdir(file_of(&pg, getpid(), ""), 0777));
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	REFUSES(ELOOP, "symbolic links", stop_sites());
	CHECK(!exists("elsewhere"));
	_mondata.prof_type = pg.type;
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	REFUSES(EISDIR, "gmon.out", stop_sites());
	return true;
}

/*
 * SVR4: PROFDIR names a directory, for PID.NAME; empty, it disables the file.
 */
TEST("profdir selects the directory")
{
	char name[64];

	enter(p.type);
	snprintf(name, sizeof(name), "there/%d.%s", getpid(),
		 program_invocation_short_name);
	CHECK_EQUAL(0, mkdir("there", 0777));
	setenv("PROFDIR", "there", 1);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	CHECK_EQUAL(0, stop_sites());
	CHECK(mon_out_read(name, &out));
	setenv("PROFDIR", "", 1);
	CHECK_EQUAL(0, unlink(name));
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	CHECK_EQUAL(0, stop_sites());
	CHECK_EQUAL(0, rmdir("there"));
	CHECK(!wrote(&p) && !exists(name + strlen("there")));
	setenv("PROFDIR", "nowhere", 1);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	REFUSES(ENOENT, "PROFDIR", stop_sites());
	return true;
}
