// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil() and sprofil() with the driver loaded
 *
 * The program is built with the C library alone, for libprofil.so to be
 * preloaded; with libprofil.so; and static, with libprofil.a.
 */
#include <sys/profil.h>

#include "process_state.h"
#include "steps.h"
#include "tap.h"

#define ONE SPAN(0, 0, NR_SITES)
#define UINT_FAST (PROF_UINT | PROF_FAST)

static int count_sites(void *counters)
{
	return errno_of(steps_profil(counters, NR_SITES * 2,
				     (uintptr_t)profil_sites, SITE_SCALE(2)));
}

static int stop_all(void)
{
	return errno_of(steps_profil(NULL, 0, 0, 0));
}

static int list(struct prof *profp, int nr, unsigned int flags)
{
	return errno_of(sprofil(profp, nr, NULL, flags));
}

/*
 * A region with one counter of @width bytes for each of @nr sites from @first
 */
static struct prof sites(void *counters, unsigned int first, size_t nr,
			 unsigned int width)
{
	return (struct prof){
		.pr_base = counters,
		.pr_size = nr * width,
		.pr_off = (uintptr_t)site(first),
		.pr_scale = SITE_SCALE(width),
	};
}

/* A list that ends in memory, of regions that are refused */
TEST("a list is read before its regions are checked")
{
	void *counters = steps_buffer(COUNTERS);
	struct prof one = sites(counters, 0, NR_SITES, 2);
	struct prof *cut = new_at_hole(sizeof(*cut));
	struct prof *many = new_at_hole(16 * sizeof(*many));

	*cut = one;
	CHECK_EQUAL(0, list(cut, 1, 0));
	/* 0 in a 32-bit program, where no scale is too large */
	cut->pr_scale = (unsigned long)(1ULL << 32);
	CHECK_EQUAL(EFAULT, list(cut, 2, 0));
	CHECK_EQUAL(cut->pr_scale ? EINVAL : 0, list(cut, 1, 0));
	for (int i = 0; i < 16; i++)
		many[i] = *cut;
	CHECK_EQUAL(EFAULT, list(many, 17, 0));
	one.pr_base = (char *)counters + 2;
	CHECK_EQUAL(0, list(&one, 1, PROF_USHORT));
	CHECK_EQUAL(EINVAL, list(&one, 1, PROF_UINT));
	return true;
}

TEST("sprofil() takes PROFIL_MAX regions")
{
	unsigned int *counters = new_pages(PROFIL_MAX * 4);
	struct prof *many = calloc(PROFIL_MAX, sizeof(*many));

	/* Regions in descending order, with one counter for 16 bytes each */
	for (int i = 0; i < PROFIL_MAX; i++)
		many[PROFIL_MAX - 1 - i] = (struct prof){
			.pr_base = &counters[i],
			.pr_size = 4,
			.pr_off = (uintptr_t)profil_sites + 16 * i,
			.pr_scale = 0x10000 / 4,
		};
	for (int nr = 63; nr < 66; nr++) /* some on the stack, more not */
		CHECK_EQUAL(0, list(many, nr, PROF_UINT));
	CHECK_EQUAL(0, list(many, PROFIL_MAX, PROF_UINT | PROF_FAST));
	CHECK(spin_until_at(30, &counters[30 * SITE_BYTES / 16], 4, 3));
	CHECK_EQUAL(counters[30 * SITE_BYTES / 16],
		    counters_sum(counters, 4, PROFIL_MAX));
	return true;
}

TEST("calls leave the state of the process unchanged")
{
	static struct process_state before, during, after;
	struct prof one = sites(steps_buffer(COUNTERS), 0, NR_SITES, 2);
	struct timeval tv;

	CHECK_EQUAL(0, count_sites(steps_buffer(COUNTERS)));
	CHECK_EQUAL(0, stop_all());
	CHECK(process_state_read(&before));
	CHECK_EQUAL(0, errno_of(sprofil(&one, 1, &tv, PROF_FAST)));
	CHECK(process_state_read(&during));
	CHECK_EQUAL(0, errno_of(sprofil(NULL, 0, &tv, 0)));
	CHECK_EQUAL(EFAULT, errno_of(sprofil(&one, 1, (void *)8, 0)));
	CHECK(process_state_read(&after));
	CHECK(process_state_equal(&before, &during));
	CHECK(process_state_equal(&before, &after));
	return true;
}

TEST("closing all descriptors keeps the profile")
{
	unsigned short *counters = steps_buffer(COUNTERS);

	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, syscall(SYS_close_range, 3, ~0U, 0));
	CHECK(steps_due(5, &counters[5]));
	return true;
}

TEST("no free descriptor returns EMFILE")
{
	struct rlimit few = { 0, 0 };

	CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &few));
	CHECK_EQUAL(EMFILE, count_sites(steps_buffer(COUNTERS)));
	return true;
}

TEST("a thousand starts and stops leak nothing")
{
	unsigned short *counters = steps_buffer(COUNTERS);
	struct prof one = sites(counters, 0, NR_SITES, 2);
	static struct process_state before, after;

	CHECK_EQUAL(0, stop_all());
	CHECK(process_state_read(&before));
	for (int i = 0; i < 500; i++) {
		CHECK_EQUAL(0, count_sites(counters));
		CHECK_EQUAL(0, stop_all());
		CHECK_EQUAL(0, list(&one, 1, PROF_FAST));
		CHECK_EQUAL(0, list(NULL, 0, 0));
	}
	CHECK(!driver_is_on());
	CHECK(process_state_read(&after));
	CHECK(process_state_equal(&before, &after));
	CHECK_EQUAL(0, count_sites(counters));
	CHECK(spin_until(5, counters, 2, counters[5] + 3));
	return true;
}

/* The overflow bin is at index 2. */
#define BIN_GETS_THE_REST(...)                                          \
	GROUP(LIST(0, UINT_FAST, 3, __VA_ARGS__), DUE(1, 0), DUE(2, 1), \
	      DUE(40, 2), LANDS_AMONG(COUNTERS, 0, 0, 40, 2))
#define HAS_WIDTH(flag)                                             \
	GROUP(CLEAR, LIST(0, flag, 1, ONE), DUE(9, 9), ZEROS(0, 9), \
	      ZEROS(10, NR_SITES))

/* Counters before, at and behind the running text, and a bin; off, and on again */
#define GLIBC_LIST(flag, width)                             \
	LIST(0, flag, 4, SPAN(0, 0, 16), SPAN(100, 16, 16), \
	     SPAN(200, 32, 8, .scale = SITE_SCALE(width) / 2), BIN(300))
#define AS_GLIBC(flag, width)                                               \
	GROUP(CLEAR, GLIBC_LIST(flag, width), DUE(20, 104), DUE(60, 300),   \
	      ZEROS(0, 100), ZEROS(200, 300), LIST_AT(0, NOTHING, flag, 0), \
	      OFF, MISSES(20), MISSES(60), GLIBC_LIST(flag, width),         \
	      MORE(20, 104), MORE(60, 300))
/* Counters of any width for each of two functions, and one for the rest */
#define FUNCTION(counter, site) \
	SPAN(counter, site, 1, .scale = 0x10000, .bytes = SITE_BYTES)
#define AS_PAPI(flag, width)                                  \
	GROUP(CLEAR,                                          \
	      LIST(0, (flag) | PROF_FAST, 3, FUNCTION(0, 10), \
		   FUNCTION(100, 20), BIN(200)),              \
	      DUE(10, SITE_LOOP / (width)),                   \
	      DUE(20, 100 + SITE_LOOP / (width)), DUE(30, 200))

static const struct row rows[] = {
	/* profil() */
	ROW("the periods of profil() and PROF_FAST", SITES(0, COUNTERS),
	    PERIOD(TICK), LIST(0, PROF_FAST, 1, ONE), PERIOD(1000)),
	ROW("profil() samples at each tick", SITES(0, COUNTERS), DUE(5, 5),
	    ZEROS(0, 5), ZEROS(6, NR_COUNTERS)),
	/* The last byte of an odd size is no counter. */
	ROW("profil() writes only its buffer",
	    PROFIL(0, COUNTERS, 9, SITE(0), SITE_SCALE(2)), DUE(3, 3),
	    MISSES(4), MISSES(63), ZEROS(4, NR_COUNTERS)),
	ROW("profil() stops by each documented call", SITES(0, COUNTERS), ON,
	    PROFIL(0, COUNTERS, 128, SITE(0), 0), OFF, SITES(0, COUNTERS),
	    PROFIL(0, COUNTERS, 128, SITE(0), 1), OFF, SITES(0, COUNTERS),
	    PROFIL(0, COUNTERS, 0, SITE(0), SITE_SCALE(2)), OFF,
	    SITES(0, COUNTERS), PROFIL(0, NOTHING, 128, SITE(0), SITE_SCALE(2)),
	    OFF, STOP),
	ROW("counters do not change after a stop", SITES(0, COUNTERS),
	    MORE(7, 7), STOP, MISSES(7)),
	ROW("a start replaces the profile", SITES(0, COUNTERS), MORE(7, 7),
	    SITES(0, OTHER), MISSES(7), MORE_IN(OTHER, 7, 7)),
	/* One counter for the 64 KiB from address 0, which the sites are beyond */
	ROW("profil() has no overflow bin", PROFIL(0, COUNTERS, 2, ZERO, 2), ON,
	    MISSES(1), PROFIL(0, COUNTERS, 2, SITE(0), 2), DUE(1, 0)),
	ROW("profil() returns EFAULT for a bad buffer", SITES(EFAULT, LOW),
	    SITES(EFAULT, HOLE), SITES(EFAULT, FIXED), SITES(EINVAL, ODD)),

	/* sprofil() */
	ROW("sprofil() checks errors in the documented order",
	    LIST_AT(E2BIG, NOTHING, ~0U, -1), LIST(E2BIG, 0, INT_MIN, ONE),
	    LIST(E2BIG, 0, PROFIL_MAX + 1, ONE),
	    LIST_AT(EINVAL, NOTHING, 16, 1),
	    LIST(EINVAL, PROF_UINT | PROF_UINT64, 1, ONE),
	    LIST_AT(EFAULT, NOTHING, 0, 1), LIST_AT(EFAULT, LOW, 0, PROFIL_MAX),
	    LIST(EFAULT, PROF_UINT, 1, SPAN_IN(LOW, 0, 0, NR_SITES))),
	ROW("sprofil() returns EACCES while PROF_FAST is restricted",
	    RESTRICT(1), LIST(0, PROF_USHORT, 1, ONE),
	    LIST(EACCES, PROF_FAST, 1, SPAN_IN(ODD, 0, 0, NR_SITES)),
	    RESTRICT(0),
	    LIST(EINVAL, PROF_FAST, 1, SPAN_IN(ODD, 0, 0, NR_SITES))),
	ROW("a bad tvp returns EFAULT and stops",
	    LIST_TIME(EFAULT, LOW, 0, 1, ONE), OFF,
	    LIST_TIME(EFAULT, FIXED, 0, 1, ONE), OFF,
	    LIST_TIME(EFAULT, LOW, 0, 0, ONE)),
	ROW("a failed start leaves no profile", SITES(0, COUNTERS),
	    SITES(EFAULT, LOW), OFF, LIST(0, 0, 1, ONE), ON,
	    LIST(EINVAL, 16, 1, ONE), OFF, LIST(0, 0, 1, ONE),
	    LIST(E2BIG, 0, -1, ONE), OFF),
	ROW("tvp gets the sampling period",
	    LIST_TAKES(TICK, PROF_USHORT, 1, ONE),
	    LIST_TAKES(1000, PROF_FAST, 1, ONE), LIST_TAKES(TICK, 0, 0, ONE)),
	ROW("a count of 0 stops", LIST(0, 0, 1, ONE), ON,
	    LIST_AT(0, NOTHING, 0, 0), OFF, LIST(0, 0, 1, ONE),
	    LIST(0, 0, 0, ONE), OFF, LIST_AT(0, NOTHING, 0, 0)),
	ROW("flags select the width of counters", HAS_WIDTH(PROF_USHORT),
	    HAS_WIDTH(PROF_UINT), HAS_WIDTH(PROF_UINT64)),
	ROW("PROF_FAST samples each millisecond", LIST(0, UINT_FAST, 1, ONE),
	    DUE(2, 2)),
	ROW("the overflow bin may have any index",
	    BIN_GETS_THE_REST(BIN(2), SPAN(1, 2, 1), SPAN(0, 1, 1)),
	    BIN_GETS_THE_REST(SPAN(0, 1, 1), BIN(2), SPAN(1, 2, 1)),
	    BIN_GETS_THE_REST(SPAN(0, 1, 1), SPAN(1, 2, 1), BIN(2))),
	/* A scale of 2 without an offset of 0 is that of a region. */
	ROW("only a bin at 0 gets the rest",
	    LIST(0, PROF_USHORT | PROF_FAST, 1,
		 OF(.at = SITE(8), .nr = 1, .scale = 2)),
	    MISSES(1), DUE(9, 0)),
	ROW("the region with the largest offset counts",
	    LIST(0, UINT_FAST, 3, SPAN(100, 8, 8), ONE, SPAN(200, 8, 8)),
	    DUE(10, 102), DUE(20, 20), ZEROS(10, 11), ZEROS(202, 203)),
	ROW("a disabled region leaves the others enabled",
	    LIST(0, UINT_FAST, 3, SPAN_IN(LOW, 0, 4, 1, .scale = 1), ONE,
		 SPAN_IN(LOW, 0, 4, 1, .bytes = NO_BYTES)),
	    DUE(4, 4)),

	/* The calls of published programs, none of whose code is here */
	ROW("the calls of glibc's test", AS_GLIBC(PROF_USHORT, 2),
	    AS_GLIBC(PROF_UINT, 4)),
	/* Only every other counter can be used. */
	ROW("the calls of LTP's profil01",
	    PROFIL(0, COUNTERS, NR_COUNTERS * 2, PC(32) - 1000, 0x20000),
	    LANDS(32, 1000), ZEROS(997, 998), ZEROS(999, 1000),
	    ZEROS(1001, 1002), STOP, OFF),
	ROW("the calls of PAPI", AS_PAPI(PROF_USHORT, 2), AS_PAPI(PROF_UINT, 4),
	    AS_PAPI(PROF_UINT64, 8)),

	ROW("a forked child has private counters of its own",
	    SITES(0, COUNTERS), FORK),
	ROW("exec ends the profile", SITES(0, COUNTERS), EXEC),

};

int main(int argc, char **argv)
{
	if (device_open() < 0) {
		puts("Bail out! Load the profil module first.");
		return EXIT_FAILURE;
	}
	return steps_run(argc, argv, rows, ARRAY_LENGTH(rows));
}
