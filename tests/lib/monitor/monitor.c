// SPDX-License-Identifier: GPL-2.0-only
/*
 * AIX's monitor() and monstartup()
 *
 * The comment of a test quotes the words of the manual "monitor Subroutine"
 * that the test checks. Each test runs in a directory of its own.
 */
#include "monitor.h"
#include "process_state.h"
#include "steps.h"

#define SPIN_NS (200 * NSEC_PER_MSEC)
#define MIN_HITS 50

const struct kind p = { _PROF_TYPE_IS_P, "mon.out", mon_out_read };
const struct kind pg = { _PROF_TYPE_IS_PG, "gmon.out", gmon_out_read };

struct profile_file out;
const struct hist *const hists = &out.hists[0];
HISTCOUNTER counters[16384];

bool tap_may_leave(const char *name)
{
	return strstr(name, "mon.out") && !strstr(name, ".part");
}

void enter(int type)
{
	_mondata.prof_type = type;
	memset(counters, POISON, sizeof(counters));
}

char *low_of(unsigned int nr)
{
	return (char *)site(nr);
}

static uint64_t in_file(const void *address)
{
	return (uintptr_t)address - program_base();
}

static bool range_is(const struct hist *hist, const void *low, const void *high,
		     uint32_t bins)
{
	CHECK_EQUAL(in_file(low), hist->low);
	CHECK_EQUAL(in_file(high), hist->high);
	CHECK_EQUAL(bins, hist->nr_bins);
	return true;
}

static const char *const end_of_sites = profil_sites + SITES_BYTES;

/* The bins that calls of @nr functions take the place of */
static int bins_of_calls(int nr)
{
	return nr * (int)sizeof(struct poutcnt) / HIST_COUNTER_SIZE;
}

int monitor_sites(int size, int functions)
{
	return monitor(profil_sites, (char *)end_of_sites, counters, size,
		       functions);
}

int stop_sites(void)
{
	return monitor((caddr_t)0);
}

/* The site 9 counts behind @front counters. */
static bool counts(size_t front)
{
	return counts_only_at(9, counters + front, 2, SITES_COUNTERS,
			      BSD(PC(9), 0x8000));
}

bool exists(const char *name)
{
	return !access(name, F_OK);
}

const char *file_of(const struct kind *kind, pid_t process, const char *suffix)
{
	static char path[80];

	snprintf(path, sizeof(path), "%s.%d%s", kind->name, process, suffix);
	return path;
}

static bool reads(const struct kind *kind, pid_t process, const char *suffix)
{
	return kind->read(file_of(kind, process, suffix), &out) && !out.is_bsd;
}

static bool stop_and_read(const struct kind *kind)
{
	CHECK_EQUAL(0, stop_sites());
	return reads(kind, getpid(), "");
}

static uint64_t driver_tick_ns(void)
{
	int device = device_open();
	uint64_t tick = tick_ns(device);

	close(device);
	return tick;
}

bool wrote(const struct kind *kind)
{
	return exists(file_of(kind, getpid(), ""));
}

/* Samples in the bin of a site */
static unsigned int in_bin(const struct hist *hist, unsigned int nr)
{
	return hist->bins[(in_file((void *)site_pc(nr)) - hist->low) *
			  hist->nr_bins / (hist->high - hist->low)];
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

	enter(p.type);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS + bins_of_calls(1), 1));
	CHECK(_mondata.mon_buffer == counters + bins_of_calls(1));
	CHECK_EQUAL(SITES_COUNTERS * 2, _mondata.mon_size);
	CHECK(_mondata.mon_offset == (uintptr_t)profil_sites);
	CHECK_EQUAL(0x8000, _mondata.mon_scale);
	CHECK_EQUAL(0, stop_sites());
	CHECK_EQUAL(0, monitor((caddr_t)1, (caddr_t)1, array, -1, 0));
	CHECK_EQUAL(-1, (int)_mondata.mon_size);
	CHECK(((struct prof *)_mondata.mon_buffer)->p_low == low_of(2));
	return !stop_sites();
}

/* One range */

static bool writes_one_range(const struct kind *kind)
{
	enter(kind->type);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	CHECK(counts(0));
	CHECK(!wrote(kind));
	CHECK(stop_and_read(kind));
	CHECK(!driver_is_on());
	CHECK_EQUAL(1, out.nr_hists);
	CHECK_EQUAL(0, out.nr_calls);
	CHECK(range_is(hists, profil_sites, end_of_sites, SITES_COUNTERS));
	CHECK(!memcmp(hists->bins, counters, SITES_COUNTERS * 2));
	return in_bin(hists, 9) > 0;
}

/* "If -p profiling was in effect, then the file is named mon.out." */
TEST("p writes one range to mon out")
{
	return writes_one_range(&p) && !wrote(&pg);
}

/* "If -pg profiling was in effect, the file is named gmon.out." */
TEST("pg writes one range to gmon out")
{
	CHECK(writes_one_range(&pg) && !wrote(&p));
	CHECK_EQUAL(NSEC_PER_SEC / driver_tick_ns(), hists->rate);
	return true;
}

/* "the number of counters available [...] and the address range defined" */
TEST("counters and range determine the scale")
{
	static const int sizes[] = { 64, 100, 341, 2048, 4096 };

	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		uint64_t scale = sizes[i] * 2ULL * 65536 / SITES_BYTES;

		enter(p.type);
		if (scale > 65536)
			scale = 65536;
		CHECK_EQUAL(0, monitor_sites(sizes[i], 0));
		CHECK(counts_only_at(61, counters, 2, sizes[i],
				     BSD(PC(61), scale)));
		CHECK(stop_and_read(&p));
		CHECK(in_bin(hists, 61) > 0);
		CHECK(hists->high >= in_file(end_of_sites));
	}
	return true;
}

/* A profile with @front counters' room for @calls */
static bool leaves_front(const struct kind *kind, int front, long calls)
{
	enter(kind->type);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS + front, calls));
	CHECK(counts(front));
	CHECK(stop_and_read(kind));
	CHECK_EQUAL(SITES_COUNTERS, hists->nr_bins);
	return all_bytes(&counters[SITES_COUNTERS + front], POISON, 64);
}

/*
 * "The total function-count space required is: NFunction * sizeof(struct
 * poutcnt)"
 */
TEST("call counts are at the buffer front")
{
	return leaves_front(&p, bins_of_calls(10), 10);
}

/*
 * "the size of the space (in bytes)", by the formula that follows in the manual
 */
TEST("arcs are at the buffer front")
{
	long range = SITES_BYTES, tonum = TO_NUM_ELEMENTS(range), bytes;

	if (tonum < MINARCS)
		tonum = MINARCS;
	if (tonum > TO_MAX - 1)
		tonum = TO_MAX - 1;
	bytes = tonum * sizeof(struct tostruct) + FROM_STG_SIZE(range) +
		sizeof(struct gfctl);
	CHECK_EQUAL(0, bytes % 2);
	setenv("GMON_OUT_PREFIX", "", 1); /* the name is still gmon.out */
	return leaves_front(&pg, bytes / 2, bytes);
}

/* "initializes the buffer area and starts profiling", up to p_high */
TEST("samples outside the range do not count")
{
	uint64_t scale = 200 * 131072 / PC(12);

	enter(p.type);
	CHECK_EQUAL(0,
		    monitor(low_of(8), (char *)site_pc(20), counters, 200, 0));
	CHECK(all_bytes(counters, 0, 400));
	CHECK(counts_nowhere(7, counters, 2, 16384));
	CHECK(loop_counts_nowhere(20, counters, 2, 16384));
	CHECK(spin_until_at(19, &counters[BSD(PC(11), scale)], 2, 3));
	return !stop_sites();
}

/* Several ranges */

struct prof ranges[3];

void set_ranges(void)
{
	ranges[0] = (struct prof){ low_of(2), low_of(4), counters, 128, 12345 };
	ranges[1] =
		(struct prof){ low_of(8), low_of(11), counters + 128, 48, 1 };
}

int start_ranges(int functions)
{
	return monitor((caddr_t)1, (caddr_t)1, ranges, -1, functions);
}

/* Both ranges have samples, at the indices in the counters behind @front. */
static bool ranges_count(const struct kind *kind, int functions, size_t front,
			 uint64_t scale)
{
	enter(kind->type);
	set_ranges();
	CHECK_EQUAL(0, start_ranges(functions));
	CHECK(counts_only_at(3, counters, 2, 176, front + BSD(PC(1), 65536)));
	return counts_only_at(10, counters, 2, 176, 128 + BSD(PC(2), scale));
}

/* "multiple program address ranges"; "The p_scale entry [...] is ignored." */
TEST("each range has its own counters")
{
	CHECK(ranges_count(&p, 0, 0, 96 * 65536 / 192));
	CHECK(counts_nowhere(5, counters, 2, 176));
	CHECK(counts_nowhere(11, counters, 2, 176));
	CHECK(stop_and_read(&p));
	CHECK_EQUAL(in_file(low_of(4)), hists->high);
	CHECK(in_bin(hists, 3) > 0);
	CHECK(reads(&p, getpid(), ".2"));
	CHECK_EQUAL(in_file(low_of(8)), hists->low);
	CHECK_EQUAL(48, hists->nr_bins);
	return in_bin(hists, 10) > 0;
}

/* "the space for the function-count data [is] at the beginning of the first" */
TEST("call counts are in the first ranges file")
{
	CHECK(ranges_count(&p, 8, bins_of_calls(8), 0x8000));
	return !stop_sites();
}

/* One gmon.out has all ranges of an object, with bins of one size. */
TEST("ranges of one object share a gmon out")
{
	CHECK(ranges_count(&pg, 0, 0, 0x8000));
	CHECK(stop_and_read(&pg));
	CHECK_EQUAL(2, out.nr_hists);
	CHECK_EQUAL(counters_sum(counters, 2, 176),
		    hist_sum(&hists[0]) + hist_sum(&hists[1]));
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(2,
			    (hists[i].high - hists[i].low) / hists[i].nr_bins);
	return hist_sum_of(&hists[1], in_file(low_of(10)),
			   in_file(low_of(11))) >= 4;
}

/*
 * "Program ranges may not overlap", but they may touch. Their histograms do not
 * overlap either, and the last byte of a range has its samples, although the 13
 * counters of the first range stand for slightly more than its 67 bytes.
 */
static bool profile_adjacent_ranges(const struct kind *kind)
{
	char *border = (char *)site_pc(3) + 1;

	enter(kind->type);
	ranges[0] = (struct prof){ low_of(2) + 1, border, counters, 13, 0 };
	ranges[1] = (struct prof){ border, low_of(5), counters + 13, 40, 0 };
	CHECK_EQUAL(0, start_ranges(0));
	CHECK(spin_until_at(3, &counters[12], 2, 3));
	CHECK(stop_and_read(kind));
	CHECK_EQUAL(counters_sum(counters, 2, 13), hist_sum(hists));
	return true;
}

TEST("adjacent ranges have adjacent histograms")
{
	uint64_t border = in_file((char *)site_pc(3) + 1);

	CHECK(profile_adjacent_ranges(&p));
	CHECK_EQUAL(border, hists->high);
	CHECK_EQUAL(counters[12], hist_sum_of(hists, border - 5, border));
	CHECK(reads(&p, getpid(), ".2"));
	CHECK_EQUAL(border, hists->low);
	CHECK(profile_adjacent_ranges(&pg));
	CHECK_EQUAL(2, out.nr_hists);
	CHECK(hists[0].high <= hists[1].low);
	return hist_sum_of(&hists[0], border - 5, border) >= 3;
}

#ifndef STATIC

/* A second gmon.out has the ranges of another object. */
TEST("another object has its own gmon out")
{
	enter(pg.type);
	set_ranges();
	ranges[1].p_low = (char *)(uintptr_t)qsort;
	ranges[1].p_high = ranges[1].p_low + 64;
	CHECK_EQUAL(0, start_ranges(0));
	CHECK(stop_and_read(&pg));
	CHECK_EQUAL(in_file(low_of(2)), hists->low);
	CHECK(reads(&pg, getpid(), ".2"));
	CHECK_EQUAL(64, hists->high - hists->low);
	return true;
}

#endif

/* The name of the file, and the processes that write one */

static bool spins(void)
{
	return spin_until_at(9, &counters[PC(9) / 4], 2, 3);
}

/* A child has ended well, and the samples are in its own file. */
static bool child_wrote(const struct kind *kind, pid_t child)
{
	CHECK(exited_with(child, 0));
	CHECK(reads(kind, child, ""));
	return hist_sum(hists) >= 3;
}

/* "by the exit subroutine to end profiling" */
TEST("exit writes the file")
{
	pid_t child;

	enter(p.type);
	child = fork();
	if (!child) {
		if (monitor_sites(SITES_COUNTERS, 0) || !spins())
			_exit(1);
		exit(0);
	}
	return child_wrote(&p, child);
}

TEST("a forked child has its own file")
{
	pid_t child;

	enter(p.type);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	child = fork();
	if (!child)
		exit(!spins() || stop_sites());
	CHECK(child_wrote(&p, child));
	CHECK(!wrote(&p));
	CHECK(stop_and_read(&p));
	CHECK_EQUAL(0, in_bin(hists, 9));
	return true;
}

/*
 * "Profiling remains on in both the child process and the parent process". A
 * child that stops the inherited profile and starts its own, or starts one
 * where the parent has none, does not overwrite the file of another process.
 */
static bool children_profile_again(const struct kind *kind, bool in_parent)
{
	pid_t children[2];

	enter(kind->type);
	CHECK_EQUAL(0, in_parent ? monitor_sites(SITES_COUNTERS, 0) : 0);
	for (int i = 0; i < 2; i++) {
		children[i] = IN_CHILD((in_parent && stop_sites()) ||
				       monitor_sites(SITES_COUNTERS, 0) ||
				       !spins() || stop_sites());
		CHECK(exited_with(children[i], 0));
	}
	CHECK(!exists(kind->name));
	for (int i = 0; i < 2; i++)
		CHECK(reads(kind, children[i], "") && hist_sum(hists) >= 3);
	CHECK_EQUAL(0, in_parent ? stop_sites() : 0);
	return wrote(kind) == in_parent;
}

TEST("children that start again overwrite no file")
{
	return children_profile_again(&p, false) &&
	       children_profile_again(&p, true) &&
	       children_profile_again(&pg, false) &&
	       children_profile_again(&pg, true);
}

/* moncontrol() and monstartup() */

/* "used as parameters to the profil subroutine by the moncontrol subroutine" */
TEST("moncontrol pauses and resumes")
{
	enter(p.type);
	CHECK_EQUAL(0, monitor_sites(SITES_COUNTERS, 0));
	CHECK_EQUAL(1, moncontrol(0));
	CHECK(!driver_is_on());
	CHECK(counts_nowhere(9, counters, 2, SITES_COUNTERS));
	CHECK_EQUAL(0, moncontrol(1));
	CHECK(counts(0));
	CHECK_EQUAL(1, moncontrol(0));
	CHECK(stop_and_read(&p));
	return in_bin(hists, 9) > 0;
}

/* Spin at site 9, on a machine that counts instructions for SPIN_NS. */
static bool spin_profiled(void)
{
	bool is_good = true;
	int device;

	if (machine_counts()) {
		spin(9, SPIN_NS);
	} else {
		device = device_open();
		is_good = spin_until_hits(device, 9, MIN_HITS);
		close(device);
	}
	return is_good;
}

/*
 * Whether @hist has the samples of spin_profiled() at site 9. On a machine that
 * does not count instructions, the hits may all but one be in other code: the
 * driver counts the code behind a range in a counter that the library discards.
 */
static bool has_samples(const struct hist *hist)
{
	uint64_t at = in_file(low_of(9));
	uint64_t samples = hist_sum_of(hist, at, at + SITE_BYTES);
	uint64_t due = SPIN_NS / driver_tick_ns();

	if (!machine_counts())
		return samples > 0;
	CHECK_BETWEEN(due - due / 10 - 1, samples, due + 2);
	return true;
}

/*
 * Run a child that calls monstartup(), spins at site 9 and exits, and read its file:
 * the child's ID, or 0. @kind tells the file, since a profile without a type writes one.
 */
static pid_t run_monstartup(const struct kind *kind, int type, const void *low,
			    const void *high)
{
	pid_t child;

	enter(type);
	child = fork();
	if (!child) {
		if (monstartup(low, high) || !driver_is_on() ||
		    !spin_profiled())
			_exit(1);
		exit(0);
	}
	return exited_with(child, 0) && reads(kind, child, "") ? child : 0;
}

/* "The monitor subroutine is called by the monstartup subroutine" */
static bool starts_and_exit_stops(const struct kind *kind, int type)
{
	CHECK(run_monstartup(kind, type, profil_sites, end_of_sites));
	CHECK(range_is(hists, profil_sites, end_of_sites, SITES_COUNTERS));
	CHECK(has_samples(hists));
	return in_bin(hists, 9) > 0;
}

TEST("monstartup writes a mon out")
{
	return starts_and_exit_stops(&p, p.type);
}

TEST("monstartup writes a gmon out")
{
	return starts_and_exit_stops(&pg, pg.type);
}

/* Without a type only exit() stops the profile, and writes a gmon.out. */
TEST("exit stops monstartup without a prof type")
{
	CHECK(run_monstartup(&pg, 0, profil_sites, end_of_sites));
	CHECK_EQUAL(in_file(profil_sites), hists->low);
	return in_bin(hists, 9) > 0;
}

/* -1 and an array: each element is a range, with a file of its own for -p */
TEST("monstartup profiles a list of ranges")
{
	const struct frag frags[] = { { low_of(2), low_of(4) },
				      { low_of(8), low_of(11) },
				      { 0 } };
	pid_t child = run_monstartup(&p, p.type, (void *)-1, frags);

	CHECK(child);
	CHECK(range_is(hists, low_of(2), low_of(4), 2 * SITE_BYTES / 4));
	CHECK(reads(&p, child, ".2"));
	CHECK(range_is(hists, low_of(8), low_of(11), 3 * SITE_BYTES / 4));
	CHECK(in_bin(hists, 9) > 0 && has_samples(hists));
	CHECK(run_monstartup(&pg, pg.type, (void *)-1, frags));
	CHECK_EQUAL(2, out.nr_hists);
	return in_bin(&hists[1], 9) > 0 && has_samples(&hists[1]);
}

/* -1 and 0: all of the program, and all libraries */
TEST("monstartup profiles the whole program")
{
	pid_t child = run_monstartup(&p, p.type, (void *)-1, NULL);

	CHECK(child && has_samples(hists));
#ifndef STATIC
	CHECK(reads(&p, child, ".2"));
#endif
	child = run_monstartup(&pg, pg.type, (void *)-1, NULL);
	CHECK(child && has_samples(hists));
#ifndef STATIC
	CHECK(reads(&pg, child, ".libc.so.6"));
#endif
	return true;
}
