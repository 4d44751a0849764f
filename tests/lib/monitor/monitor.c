// SPDX-License-Identifier: GPL-2.0-only
/*
 * AIX's monitor() and monstartup()
 *
 * The comment of a test quotes the words of the manual "monitor Subroutine"
 * that the test checks. Each test runs in a directory of its own. The programs
 * example_1 to example_3 are the three examples of the manual.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mon.h>

#include "../../selftests/profil/common.h"
#include "expected_counts.h"
#include "profile_file.h"
#include "process_state.h"
#include "tap.h"

#define TICKS_NS (60 * NSEC_PER_MSEC)
#define SPIN_NS (200 * NSEC_PER_MSEC)
#define MIN_HITS 50

/* One counter for 4 bytes, as in the manual's examples */
#define SITES_COUNTERS NUM_HIST_COUNTERS(SITES_BYTES)

static struct profile_file out;
static HISTCOUNTER counters[16384];
static char errors[4096];
static const char *program;

/* Make and enter an empty directory, with the counters poisoned. */
static void enter_directory(int type)
{
	char name[] = "/tmp/monitor.XXXXXX";

	if (!mkdtemp(name) || chdir(name))
		exit(EXIT_FAILURE);
	_mondata.prof_type = type;
	memset(counters, POISON, sizeof(counters));
}

static int saved_stderr;

/* Capture messages up to release_stderr(). */
static void capture_stderr(void)
{
	int file = memfd_create("stderr", 0);

	saved_stderr = dup(STDERR_FILENO);
	dup2(file, STDERR_FILENO);
	close(file);
}

static void release_stderr(void)
{
	memset(errors, 0, sizeof(errors));
	if (pread(STDERR_FILENO, errors, sizeof(errors) - 1, 0) < 0)
		errors[0] = '\0';
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
}

/* "sends an error message to stderr and returns -1": one line, with @word */
static bool is_refused(int ret, const char *word)
{
	const char *end = strchr(errors, '\n');

	if (ret == -1 && end && !end[1] && strstr(errors, word))
		return true;
	printf("# %d: %s\n", ret, errors);
	return false;
}

#define REFUSES(call, word)                      \
	do {                                     \
		int ret_;                        \
		capture_stderr();                \
		ret_ = (call);                   \
		release_stderr();                \
		CHECK(is_refused(ret_, (word))); \
	} while (0)

static char *low_of(unsigned int nr)
{
	return (char *)site(nr);
}

static uint64_t link_address(uint64_t address)
{
	return address - program_base();
}

/* The bins that calls of @nr functions take the place of */
static int bins_of_calls(int nr)
{
	return nr * (int)sizeof(struct poutcnt) / HIST_COUNTER_SIZE;
}

static int start_sites_with(int size, int functions)
{
	return monitor(profil_sites, profil_sites + SITES_BYTES, counters, size,
		       functions);
}

static int stop_monitor(void)
{
	return monitor((caddr_t)0);
}

static bool exists(const char *name)
{
	return !access(name, F_OK);
}

/* Files of a process that has forked have its ID as a suffix. */
static const char *file_of(pid_t process, const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s.%d", name, process);
	return path;
}

static const char *own_file(const char *name)
{
	return file_of(getpid(), name);
}

/* File of the second range, or of the second object */
static const char *own_second_file(const char *name)
{
	static char path[80];

	snprintf(path, sizeof(path), "%s.2", own_file(name));
	return path;
}

/* Bin of a site's PC in a histogram of link-time addresses */
static uint32_t bin_of(const struct hist *hist, unsigned int nr)
{
	return (link_address(site_pc(nr)) - hist->low) * hist->nr_bins /
	       (hist->high - hist->low);
}

/*
 * _mondata
 */

/* "neither -1 [...] nor +1 [...], an error is returned" */
TEST("monitor without prof type is refused")
{
	enter_directory(0);
	REFUSES(start_sites_with(SITES_COUNTERS, 0), "prof_type");
	REFUSES(stop_monitor(), "prof_type");
	_mondata.prof_type = 2;
	REFUSES(start_sites_with(SITES_COUNTERS, 0), "prof_type");
	CHECK(!driver_is_on());
	return true;
}

/* "set to -1 in the mcrt0.o", "+1 in the gcrt0.o", "defaults to 0" */
TEST("prof types have the documented values")
{
	CHECK_EQUAL(0, _mondata.prof_type);
	CHECK_EQUAL(-1, _PROF_TYPE_IS_P);
	CHECK_EQUAL(1, _PROF_TYPE_IS_PG);
	return true;
}

/*
 * "initializes four global variables that are used as parameters to [...]
 * profil"
 */
TEST("mondata holds the arguments of profil")
{
	struct prof array[] = {
		{ low_of(2), low_of(4), counters, 64, 0 },
		{ low_of(8), low_of(9), counters + 64, 64, 0 },
		{ 0 },
	};

	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS + bins_of_calls(1), 1));
	CHECK(_mondata.mon_buffer == counters + bins_of_calls(1));
	CHECK_EQUAL(SITES_COUNTERS * 2, _mondata.mon_size);
	CHECK(_mondata.mon_offset == (uintptr_t)profil_sites);
	CHECK_EQUAL(0x8000, _mondata.mon_scale);
	CHECK_EQUAL(0, stop_monitor());
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 0));
	CHECK_EQUAL(-1, (int)_mondata.mon_size);
	CHECK(((struct prof *)_mondata.mon_buffer)->p_low == low_of(2));
	CHECK_EQUAL(0, stop_monitor());
	return true;
}

/*
 * One range
 */

/* "If -p profiling was in effect, then the file is named mon.out." */
TEST("p writes one range to mon out")
{
	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK(counts_only_at(9, counters, 2, SITES_COUNTERS,
			     bsd_index(9 * SITE_BYTES + SITE_LOOP, 2, 0x8000)));
	CHECK(!exists(own_file("mon.out")));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(!driver_is_on());
	CHECK(mon_out_read(own_file("mon.out"), &out));
	CHECK_EQUAL(link_address((uintptr_t)profil_sites), out.hists[0].low);
	CHECK_EQUAL(link_address((uintptr_t)profil_sites + SITES_BYTES),
		    out.hists[0].high);
	CHECK_EQUAL(SITES_COUNTERS, out.hists[0].nr_bins);
	CHECK_EQUAL(0, out.nr_calls);
	CHECK(!memcmp(out.hists[0].bins, counters, SITES_COUNTERS * 2));
	CHECK(out.hists[0].bins[bin_of(out.hists, 9)] > 0);
	return true;
}

/* "If -pg profiling was in effect, the file is named gmon.out." */
TEST("pg writes one range to gmon out")
{
	enter_directory(_PROF_TYPE_IS_PG);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK(counts_only_at(9, counters, 2, SITES_COUNTERS,
			     bsd_index(9 * SITE_BYTES + SITE_LOOP, 2, 0x8000)));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(!exists(own_file("mon.out")));
	CHECK(gmon_out_read(own_file("gmon.out"), &out));
	CHECK_EQUAL(1, out.nr_hists);
	CHECK_EQUAL(link_address((uintptr_t)profil_sites), out.hists[0].low);
	CHECK_EQUAL(SITES_COUNTERS, out.hists[0].nr_bins);
	CHECK_EQUAL(NSEC_PER_SEC / tick_ns(device_open()), out.hists[0].rate);
	CHECK(!memcmp(out.hists[0].bins, counters, SITES_COUNTERS * 2));
	return true;
}

/* "the number of counters available [...] and the address range defined" */
TEST("counters and range determine the scale")
{
	static const int sizes[] = { 64, 100, 341, 2048, 4096 };

	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		uint64_t scale = sizes[i] * 2ULL * 65536 / SITES_BYTES;

		enter_directory(_PROF_TYPE_IS_P);
		if (scale > 65536)
			scale = 65536;
		CHECK_EQUAL(0, start_sites_with(sizes[i], 0));
		CHECK(counts_only_at(61, counters, 2, sizes[i],
				     bsd_index(61 * SITE_BYTES + SITE_LOOP, 2,
					       scale)));
		CHECK_EQUAL(0, stop_monitor());
		CHECK(mon_out_read(own_file("mon.out"), &out));
		CHECK(out.hists[0].bins[bin_of(out.hists, 61)] > 0);
		CHECK(out.hists[0].high >=
		      link_address((uintptr_t)profil_sites + SITES_BYTES));
	}
	return true;
}

/*
 * "The total function-count space required is: NFunction * sizeof(struct
 * poutcnt)"
 */
TEST("call counts are at the buffer front")
{
	int front = bins_of_calls(10);

	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS + front, 10));
	CHECK(counts_only_at(9, counters + front, 2, SITES_COUNTERS,
			     bsd_index(9 * SITE_BYTES + SITE_LOOP, 2, 0x8000)));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(mon_out_read(own_file("mon.out"), &out));
	CHECK_EQUAL(SITES_COUNTERS, out.hists[0].nr_bins);
	CHECK(all_bytes(&counters[SITES_COUNTERS + front], POISON, 64));
	return true;
}

/*
 * "the size of the space (in bytes)", by the formula that follows in the manual
 */
TEST("arcs are at the buffer front")
{
	long range = SITES_BYTES;
	long tonum = TO_NUM_ELEMENTS(range), tosize, fromsize, rangesize;

	if (tonum < MINARCS)
		tonum = MINARCS;
	if (tonum > TO_MAX - 1)
		tonum = TO_MAX - 1;
	tosize = tonum * sizeof(struct tostruct);
	fromsize = FROM_STG_SIZE(range);
	rangesize = tosize + fromsize + sizeof(struct gfctl);
	enter_directory(_PROF_TYPE_IS_PG);
	CHECK_EQUAL(0, rangesize % 2);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS + rangesize / 2,
					rangesize));
	CHECK(counts_only_at(9, counters + rangesize / 2, 2, SITES_COUNTERS,
			     bsd_index(9 * SITE_BYTES + SITE_LOOP, 2, 0x8000)));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(gmon_out_read(own_file("gmon.out"), &out));
	CHECK_EQUAL(SITES_COUNTERS, out.hists[0].nr_bins);
	return true;
}

/* "initializes the buffer area and starts profiling", up to p_high */
TEST("samples outside the range do not count")
{
	uint64_t scale = 200 * 131072 / (12 * SITE_BYTES + SITE_LOOP);
	uint64_t index = bsd_index(11 * SITE_BYTES + SITE_LOOP, 2, scale);

	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0,
		    monitor(low_of(8), (char *)site_pc(20), counters, 200, 0));
	CHECK(all_bytes(counters, 0, 400));
	CHECK(counts_nowhere(7, counters, 2, 16384));
	CHECK(counts_nowhere(20, counters, 2, 16384));
	CHECK(spin_until_at(19, &counters[index], 2, 3));
	CHECK_EQUAL(0, stop_monitor());
	return true;
}

/*
 * Several ranges
 */

static const struct prof two_ranges[] = {
	{ NULL, NULL, counters, 128, 12345 },
	{ NULL, NULL, counters + 128, 48, 1 },
	{ 0 },
};

static void set_two_ranges(struct prof *array)
{
	memcpy(array, two_ranges, sizeof(two_ranges));
	array[0].p_low = low_of(2);
	array[0].p_high = low_of(4);
	array[1].p_low = low_of(8);
	array[1].p_high = low_of(11);
}

/* "multiple program address ranges"; "The p_scale entry [...] is ignored." */
TEST("each range has its own counters")
{
	struct prof array[3];

	enter_directory(_PROF_TYPE_IS_P);
	set_two_ranges(array);
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 0));
	CHECK(counts_only_at(3, counters, 2, 176,
			     bsd_index(SITE_BYTES + SITE_LOOP, 2, 65536)));
	CHECK(counts_only_at(10, counters, 2, 176,
			     128 + bsd_index(2 * SITE_BYTES + SITE_LOOP, 2,
					     96 * 65536 / 192)));
	CHECK(counts_nowhere(5, counters, 2, 176));
	CHECK(counts_nowhere(11, counters, 2, 176));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(mon_out_read(own_file("mon.out"), &out));
	CHECK_EQUAL(link_address((uintptr_t)site(4)), out.hists[0].high);
	CHECK(out.hists[0].bins[bin_of(out.hists, 3)] > 0);
	CHECK(mon_out_read(own_second_file("mon.out"), &out));
	CHECK_EQUAL(link_address((uintptr_t)site(8)), out.hists[0].low);
	CHECK_EQUAL(48, out.hists[0].nr_bins);
	CHECK(out.hists[0].bins[bin_of(out.hists, 10)] > 0);
	return true;
}

/* "the space for the function-count data [is] at the beginning of the first" */
TEST("call counts are in the first ranges file")
{
	struct prof array[3];

	enter_directory(_PROF_TYPE_IS_P);
	set_two_ranges(array);
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 8));
	CHECK(counts_only_at(3, counters, 2, 176,
			     bins_of_calls(8) +
				     bsd_index(SITE_BYTES + SITE_LOOP, 2,
					       65536)));
	CHECK(counts_only_at(10, counters, 2, 176,
			     128 + bsd_index(2 * SITE_BYTES + SITE_LOOP, 2,
					     0x8000)));
	CHECK_EQUAL(0, stop_monitor());
	return true;
}

/* One gmon.out has all ranges of an object, with bins of one size. */
TEST("ranges of one object share a gmon out")
{
	struct prof array[3];
	uint64_t index, sum;

	enter_directory(_PROF_TYPE_IS_PG);
	set_two_ranges(array);
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 0));
	index = bsd_index(SITE_BYTES + SITE_LOOP, 2, 65536);
	CHECK(spin_until_at(3, &counters[index], 2, 5));
	index = 128 + bsd_index(2 * SITE_BYTES + SITE_LOOP, 2, 0x8000);
	CHECK(spin_until_at(10, &counters[index], 2, 5));
	CHECK_EQUAL(0, stop_monitor());
	sum = counters_sum(counters, 2, 176);
	CHECK(gmon_out_read(own_file("gmon.out"), &out));
	CHECK_EQUAL(2, out.nr_hists);
	CHECK_EQUAL(sum, hist_sum(&out.hists[0]) + hist_sum(&out.hists[1]));
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(2, (out.hists[i].high - out.hists[i].low) /
				       out.hists[i].nr_bins);
	CHECK(hist_sum_of(&out.hists[1], link_address((uintptr_t)site(10)),
			  link_address((uintptr_t)site(11))) >= 5);
	return true;
}

/*
 * "Program ranges may not overlap", but they may touch. Their histograms do not
 * overlap either, and the last byte of a range has its samples, although the 13
 * counters of the first range stand for slightly more than its 67 bytes.
 */
static bool profile_adjacent_ranges(int type)
{
	char *border = (char *)site_pc(3) + 1;
	struct prof array[] = {
		{ low_of(2) + 1, border, counters, 13, 0 },
		{ border, low_of(5), counters + 13, 40, 0 },
		{ 0 },
	};

	enter_directory(type);
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 0));
	CHECK(spin_until_at(3, &counters[12], 2, 3));
	CHECK_EQUAL(0, stop_monitor());
	return true;
}

TEST("adjacent ranges have adjacent histograms")
{
	uint64_t border = link_address(site_pc(3) + 1);

	CHECK(profile_adjacent_ranges(_PROF_TYPE_IS_P));
	CHECK(mon_out_read(own_file("mon.out"), &out));
	CHECK_EQUAL(border, out.hists[0].high);
	CHECK_EQUAL(counters_sum(counters, 2, 13), hist_sum(out.hists));
	CHECK_EQUAL(counters[12], hist_sum_of(out.hists, border - 5, border));
	CHECK(mon_out_read(own_second_file("mon.out"), &out));
	CHECK_EQUAL(border, out.hists[0].low);
	CHECK(profile_adjacent_ranges(_PROF_TYPE_IS_PG));
	CHECK(gmon_out_read(own_file("gmon.out"), &out));
	CHECK_EQUAL(2, out.nr_hists);
	CHECK(out.hists[0].high <= out.hists[1].low);
	CHECK_EQUAL(counters_sum(counters, 2, 13), hist_sum(&out.hists[0]));
	CHECK(hist_sum_of(&out.hists[0], border - 5, border) >= 3);
	return true;
}

#ifndef STATIC

/* A second gmon.out has the ranges of another object. */
TEST("another object has its own gmon out")
{
	char *library = (char *)(uintptr_t)qsort;
	struct prof array[3];

	enter_directory(_PROF_TYPE_IS_PG);
	set_two_ranges(array);
	array[1].p_low = library;
	array[1].p_high = library + 64;
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 0));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(gmon_out_read(own_file("gmon.out"), &out));
	CHECK_EQUAL(link_address((uintptr_t)site(2)), out.hists[0].low);
	CHECK(gmon_out_read(own_second_file("gmon.out"), &out));
	CHECK_EQUAL(64, out.hists[0].high - out.hists[0].low);
	return true;
}

#endif

/* "in ascending order of the program addresses"; "may not overlap" */
TEST("ranges must ascend")
{
	struct prof array[3];

	enter_directory(_PROF_TYPE_IS_P);
	set_two_ranges(array);
	array[0].p_high = low_of(9);
	REFUSES(monitor((caddr_t)1, (caddr_t)1, array, -1, 0), "overlap");
	set_two_ranges(array);
	array[1].p_low = low_of(0);
	array[1].p_high = low_of(1);
	REFUSES(monitor((caddr_t)1, (caddr_t)1, array, -1, 0), "descend");
	set_two_ranges(array);
	array[1].p_high = array[1].p_low;
	REFUSES(monitor((caddr_t)1, (caddr_t)1, array, -1, 0), "range");
	set_two_ranges(array);
	array[0].p_high = NULL;
	REFUSES(monitor((caddr_t)1, (caddr_t)1, array, -1, 0), "empty");
	CHECK(!driver_is_on());
	return true;
}

/* "must define a single contiguous buffer area" */
TEST("counters must be contiguous")
{
	struct prof array[3];

	enter_directory(_PROF_TYPE_IS_P);
	set_two_ranges(array);
	array[1].p_buff++;
	REFUSES(monitor((caddr_t)1, (caddr_t)1, array, -1, 0), "contiguous");
	array[1].p_buff = counters;
	REFUSES(monitor((caddr_t)1, (caddr_t)1, array, -1, 0), "contiguous");
	return true;
}

/*
 * Errors
 */

/* "If an error is found, the monitor subroutine sends an error message" */
TEST("bad arguments are reported")
{
	const char *low = low_of(2), *high = low_of(4);
	char *fixed = new_pages(page_size());

	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	REFUSES(monitor(high, low, counters, 64, 0), "range");
	REFUSES(monitor(low, low, counters, 64, 0), "range");
	REFUSES(monitor(low, high, counters, 0, 0), "counters");
	REFUSES(monitor(low, high, counters, -5, 0), "counters");
	REFUSES(monitor(low, high, counters, 64, -1), "negative");
	REFUSES(monitor(low, high, counters, 64, 16), "room for calls");
	REFUSES(monitor(low, low + 200000, counters, 2, 0), "too few");
	REFUSES(monitor(low, high, fixed, 64, 0), "writable");
	REFUSES(monitor(low, high, (void *)16, 64, 0), "writable");
	REFUSES(monitor(low, high, (void *)16, -1, 0), "array");
	REFUSES(monitor(low, high, (char *)counters + 1, 64, 0), "odd");
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, monitor(low, high, counters, 64, 0));
	return true;
}

/* Starting twice and stopping twice are errors. */
TEST("start and stop must alternate")
{
	enter_directory(_PROF_TYPE_IS_P);
	REFUSES(stop_monitor(), "off already");
	CHECK(!exists(own_file("mon.out")));
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	REFUSES(start_sites_with(SITES_COUNTERS, 0), "monitor(0)");
	CHECK(driver_is_on());
	CHECK_EQUAL(0, stop_monitor());
	REFUSES(stop_monitor(), "off already");
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK_EQUAL(0, stop_monitor());
	return true;
}

TEST("an unwritable file is reported")
{
	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, symlink("elsewhere", own_file("mon.out")));
	CHECK_EQUAL(0, mkdir(own_file("gmon.out"), 0777));
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	REFUSES(stop_monitor(), "symbolic links");
	CHECK(!exists("elsewhere"));
	_mondata.prof_type = _PROF_TYPE_IS_PG;
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	REFUSES(stop_monitor(), "gmon.out");
	return true;
}

/*
 * The name of the file, and the processes that write one
 */

/*
 * SVR4: PROFDIR names a directory, for PID.NAME; empty, it disables the file.
 */
TEST("profdir selects the directory")
{
	char name[64];

	enter_directory(_PROF_TYPE_IS_P);
	snprintf(name, sizeof(name), "there/%d.%s", getpid(),
		 program_invocation_short_name);
	CHECK_EQUAL(0, mkdir("there", 0777));
	setenv("PROFDIR", "there", 1);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(mon_out_read(name, &out));
	setenv("PROFDIR", "", 1);
	CHECK_EQUAL(0, unlink(name));
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK_EQUAL(0, stop_monitor());
	CHECK_EQUAL(0, rmdir("there"));
	CHECK(!exists(own_file("mon.out")));
	CHECK(!exists(name + strlen("there")));
	setenv("PROFDIR", "nowhere", 1);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	REFUSES(stop_monitor(), "PROFDIR");
	return true;
}

/* "by the exit subroutine to end profiling" */
TEST("exit writes the file")
{
	pid_t child;

	enter_directory(_PROF_TYPE_IS_P);
	child = fork();
	if (!child) {
		if (start_sites_with(SITES_COUNTERS, 0) ||
		    !spin_until_at(9,
				   &counters[(9 * SITE_BYTES + SITE_LOOP) / 4],
				   2, 3))
			_exit(1);
		exit(0);
	}
	CHECK(exited_with(child, 0));
	CHECK(mon_out_read(file_of(child, "mon.out"), &out));
	CHECK(hist_sum(out.hists) >= 3);
	return true;
}

TEST("a forked child has its own file")
{
	pid_t child;

	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	child = fork();
	if (!child) {
		if (!spin_until_at(9,
				   &counters[(9 * SITE_BYTES + SITE_LOOP) / 4],
				   2, 3))
			_exit(1);
		exit(stop_monitor() ? 2 : 0);
	}
	CHECK(exited_with(child, 0));
	CHECK(!exists(own_file("mon.out")));
	CHECK(mon_out_read(file_of(child, "mon.out"), &out));
	CHECK(hist_sum(out.hists) >= 3);
	CHECK_EQUAL(0, stop_monitor());
	CHECK(mon_out_read(own_file("mon.out"), &out));
	CHECK_EQUAL(0, out.hists[0].bins[bin_of(out.hists, 9)]);
	return true;
}

/*
 * "Profiling remains on in both the child process and the parent process". A
 * child that stops the inherited profile and starts its own, or starts one
 * where the parent has none, does not overwrite the file of another process.
 */
static int profile_again(bool ended_first)
{
	if (ended_first && stop_monitor())
		return 1;
	if (start_sites_with(SITES_COUNTERS, 0))
		return 2;
	if (!spin_until_at(9, &counters[(9 * SITE_BYTES + SITE_LOOP) / 4], 2,
			   3))
		return 3;
	return stop_monitor() ? 4 : 0;
}

static bool children_profile_again(bool (*read)(const char *,
						struct profile_file *),
				   const char *name, bool in_parent)
{
	pid_t children[2];

	if (in_parent)
		CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	for (int i = 0; i < 2; i++) {
		children[i] = fork();
		if (!children[i])
			_exit(profile_again(in_parent));
		CHECK(exited_with(children[i], 0));
	}
	CHECK(!exists(name));
	for (int i = 0; i < 2; i++) {
		CHECK(read(file_of(children[i], name), &out));
		CHECK(hist_sum(out.hists) >= 3);
	}
	CHECK_EQUAL(0, in_parent ? stop_monitor() : 0);
	CHECK_EQUAL(in_parent, exists(own_file(name)));
	return true;
}

TEST("children that start again overwrite no file")
{
	for (int in_parent = 0; in_parent < 2; in_parent++) {
		enter_directory(_PROF_TYPE_IS_P);
		CHECK(children_profile_again(mon_out_read, "mon.out",
					     in_parent));
		enter_directory(_PROF_TYPE_IS_PG);
		CHECK(children_profile_again(gmon_out_read, "gmon.out",
					     in_parent));
	}
	return true;
}

/*
 * moncontrol() and monstartup()
 */

/* "used as parameters to the profil subroutine by the moncontrol subroutine" */
TEST("moncontrol pauses and resumes")
{
	enter_directory(_PROF_TYPE_IS_P);
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK_EQUAL(1, moncontrol(0));
	CHECK(!driver_is_on());
	CHECK(counts_nowhere(9, counters, 2, SITES_COUNTERS));
	CHECK_EQUAL(0, moncontrol(1));
	CHECK(counts_only_at(9, counters, 2, SITES_COUNTERS,
			     bsd_index(9 * SITE_BYTES + SITE_LOOP, 2, 0x8000)));
	CHECK_EQUAL(1, moncontrol(0));
	CHECK_EQUAL(0, stop_monitor());
	CHECK(mon_out_read(own_file("mon.out"), &out));
	CHECK(out.hists[0].bins[bin_of(out.hists, 9)] > 0);
	return true;
}

/* "The monitor subroutine is called by the monstartup subroutine" */
static bool monstartup_starts_and_exit_stops(int type)
{
	uintptr_t text = (uintptr_t)profil_sites;
	pid_t child;

	enter_directory(type);
	child = fork();
	if (!child) {
		if (monstartup(text, text + SITES_BYTES) || !driver_is_on() ||
		    !spin_until_hits(device_open(), 9, 5))
			_exit(1);
		exit(0);
	}
	CHECK(exited_with(child, 0));
	if (type == _PROF_TYPE_IS_P)
		CHECK(mon_out_read(file_of(child, "mon.out"), &out));
	else
		CHECK(gmon_out_read(file_of(child, "gmon.out"), &out));
	CHECK_EQUAL(link_address(text), out.hists[0].low);
	CHECK_EQUAL(link_address(text + SITES_BYTES), out.hists[0].high);
	CHECK_EQUAL(SITES_COUNTERS, out.hists[0].nr_bins);
	CHECK(out.hists[0].bins[bin_of(out.hists, 9)] > 0);
	return true;
}

TEST("monstartup writes a mon out")
{
	return monstartup_starts_and_exit_stops(_PROF_TYPE_IS_P);
}

TEST("monstartup writes a gmon out")
{
	return monstartup_starts_and_exit_stops(_PROF_TYPE_IS_PG);
}

/* Spin at site 9, on a machine that counts instructions for SPIN_NS. */
static bool spin_profiled(void)
{
	if (!machine_counts())
		return spin_until_hits(device_open(), 9, MIN_HITS);
	spin(9, SPIN_NS);
	return true;
}

/*
 * Whether @hist has the samples of spin_profiled() at site 9. On a machine that
 * does not count instructions, the hits may all but one be in other code: the
 * driver counts the code behind a range in a counter that the library discards.
 */
static bool has_samples(const struct hist *hist)
{
	uint64_t at = link_address((uintptr_t)site(9));
	uint64_t samples = hist_sum_of(hist, at, at + SITE_BYTES);
	uint64_t due = SPIN_NS / tick_ns(device_open());

	if (!machine_counts())
		return samples > 0;
	CHECK_BETWEEN(due - due / 10 - 1, samples, due + 2);
	return true;
}

/*
 * Run a child that calls monstartup(), spins at site 9 and exits: its ID, or 0.
 */
static pid_t run_monstartup(int type, const void *low, const void *high)
{
	pid_t child;

	enter_directory(type);
	child = fork();
	if (!child) {
		if (monstartup(low, high) || !driver_is_on() ||
		    !spin_profiled())
			_exit(1);
		exit(0);
	}
	return exited_with(child, 0) ? child : 0;
}

/* Without a type only exit() stops the profile, and writes a gmon.out. */
TEST("exit stops monstartup without a prof type")
{
	pid_t child =
		run_monstartup(0, profil_sites, profil_sites + SITES_BYTES);

	CHECK(child);
	CHECK(gmon_out_read(file_of(child, "gmon.out"), &out));
	CHECK_EQUAL(link_address((uintptr_t)profil_sites), out.hists[0].low);
	CHECK(out.hists[0].bins[bin_of(out.hists, 9)] > 0);
	return true;
}

static const struct frag *two_frags(void)
{
	static struct frag frags[3];

	frags[0] = (struct frag){ low_of(2), low_of(4) };
	frags[1] = (struct frag){ low_of(8), low_of(11) };
	return frags;
}

/* -1 and an array: each element is a range, with a file of its own for -p */
TEST("monstartup profiles a list of ranges")
{
	pid_t child = run_monstartup(_PROF_TYPE_IS_P, (void *)-1, two_frags());
	char second[80];

	CHECK(child);
	CHECK(mon_out_read(file_of(child, "mon.out"), &out));
	CHECK_EQUAL(link_address((uintptr_t)low_of(2)), out.hists[0].low);
	CHECK_EQUAL(link_address((uintptr_t)low_of(4)), out.hists[0].high);
	CHECK_EQUAL(2 * SITE_BYTES / 4, out.hists[0].nr_bins);
	snprintf(second, sizeof(second), "mon.out.%d.2", child);
	CHECK(mon_out_read(second, &out));
	CHECK_EQUAL(link_address((uintptr_t)low_of(8)), out.hists[0].low);
	CHECK_EQUAL(link_address((uintptr_t)low_of(11)), out.hists[0].high);
	CHECK(out.hists[0].bins[bin_of(out.hists, 9)] > 0);
	CHECK(has_samples(out.hists));
	child = run_monstartup(_PROF_TYPE_IS_PG, (void *)-1, two_frags());
	CHECK(child);
	CHECK(gmon_out_read(file_of(child, "gmon.out"), &out));
	CHECK_EQUAL(2, out.nr_hists);
	CHECK(out.hists[1].bins[bin_of(&out.hists[1], 9)] > 0);
	CHECK(has_samples(&out.hists[1]));
	return true;
}

/* -1 and 0: all of the program; libraries are for the next test */
TEST("monstartup profiles the whole program")
{
	pid_t child = run_monstartup(_PROF_TYPE_IS_P, (void *)-1, NULL);

	CHECK(child);
	CHECK(mon_out_read(file_of(child, "mon.out"), &out));
	CHECK(has_samples(out.hists));
	child = run_monstartup(_PROF_TYPE_IS_PG, (void *)-1, NULL);
	CHECK(child);
	CHECK(gmon_out_read(file_of(child, "gmon.out"), &out));
	CHECK(has_samples(out.hists));
	return true;
}

#ifndef STATIC

TEST("monstartup profiles libraries")
{
	pid_t child = run_monstartup(_PROF_TYPE_IS_PG, (void *)-1, NULL);
	char name[80];

	CHECK(child);
	snprintf(name, sizeof(name), "gmon.out.%d.libc.so.6", child);
	CHECK(gmon_out_read(name, &out));
	child = run_monstartup(_PROF_TYPE_IS_P, (void *)-1, NULL);
	CHECK(child);
	snprintf(name, sizeof(name), "mon.out.%d.2", child);
	CHECK(mon_out_read(name, &out));
	return true;
}

#endif

TEST("monstartup refuses an empty range")
{
	enter_directory(_PROF_TYPE_IS_P);
	REFUSES(monstartup(4096, 4096), "range");
	_mondata.prof_type = _PROF_TYPE_IS_PG;
	REFUSES(monstartup(4096, 4096), "range");
	return true;
}

/* "If an error is found [...] returns -1"; errno has the reason. */
TEST("errors set errno")
{
	const struct frag bad[] = { { low_of(4), low_of(2) }, { 0 } };
	const struct frag none[] = { { 0 } };

	enter_directory(_PROF_TYPE_IS_P);
	errno = 0;
	REFUSES(monstartup(4096, 4096), "range");
	CHECK_EQUAL(EINVAL, errno);
	REFUSES(monstartup((void *)-1, (void *)8), "frag");
	CHECK_EQUAL(EFAULT, errno);
	errno = 0;
	REFUSES(monstartup((void *)-1, bad), "range");
	CHECK_EQUAL(EINVAL, errno);
	errno = 0;
	REFUSES(monstartup((void *)-1, none), "empty");
	CHECK_EQUAL(EINVAL, errno);
	REFUSES(monitor(low_of(2), low_of(4), (void *)16, 64, 0), "writable");
	CHECK_EQUAL(EFAULT, errno);
	REFUSES(stop_monitor(), "off already");
	CHECK_EQUAL(EINVAL, errno);
	_mondata.prof_type = 0;
	errno = 0;
	REFUSES(monstartup((void *)-1, two_frags()), "prof_type");
	CHECK_EQUAL(EINVAL, errno);
	_mondata.prof_type = _PROF_TYPE_IS_P;
	errno = EDOM;
	CHECK_EQUAL(0, start_sites_with(SITES_COUNTERS, 0));
	CHECK_EQUAL(EDOM, errno);
	REFUSES(start_sites_with(SITES_COUNTERS, 0), "monitor(0)");
	CHECK_EQUAL(EBUSY, errno);
	setenv("PROFDIR", "nowhere", 1);
	REFUSES(stop_monitor(), "PROFDIR");
	CHECK_EQUAL(ENOENT, errno);
	return true;
}

/*
 * The examples are programs that exit with 0 if all calls succeed.
 */

static bool runs(const char *suffix)
{
	char path[PATH_MAX];
	pid_t child;

	snprintf(path, sizeof(path), "%s-%s", program, suffix);
	child = fork();
	if (!child) {
		execl(path, path, NULL);
		_exit(127);
	}
	return exited_with(child, 0);
}

/* "how to profile the main load module of a program with -p profiling" */
TEST("example 1 writes a mon out")
{
	enter_directory(0);
	CHECK(runs("example_1"));
	CHECK(mon_out_read("mon.out", &out));
	CHECK(hist_sum(out.hists) > 0);
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
	enter_directory(0);
	CHECK(runs("example_2"));
	CHECK(mon_out_read("mon.out", &out));
	CHECK(mon_out_read("mon.out.2", &out));
	CHECK(hist_sum(out.hists) > 0);
	CHECK_EQUAL(0, out.nr_calls);
	return true;
}

#endif

/* "from zit up to but not including zot with -pg profiling" */
TEST("example 3 writes a gmon out")
{
	enter_directory(0);
	CHECK(runs("example_3"));
	CHECK(gmon_out_read("gmon.out", &out));
	CHECK_EQUAL(1, out.nr_hists);
	CHECK(hist_sum(out.hists) > 0);
	CHECK_EQUAL(2000, calls_of(&out, out.hists[0].low, out.hists[0].high));
	return true;
}

int main(int argc, char **argv)
{
	static char path[PATH_MAX];

	(void)argc;
	program = realpath(argv[0], path) ? path : argv[0];
	return tap_run();
}
