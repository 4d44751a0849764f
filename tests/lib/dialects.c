// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil() and sprofil() by the manuals of SVR4, 4.4BSD and IRIX
 *
 * The program is linked with the C library alone and has libprofil.so
 * preloaded. A row quotes the words of the manual that it checks. Each test runs in a
 * process of its own, which sets PROFIL_DIALECT to the subject of the row; "default" sets
 * none, and "strict" has the flag PROF_STRICT in its place.
 */
#include <sys/profil.h>

#include "process_state.h"
#include "steps.h"
#include "tap.h"

/* Site 32, @distance behind the offset, counts at @index. */
#define COUNTS(distance, scale, index)                                  \
	GROUP(CLEAR,                                                    \
	      PROFIL(0, COUNTERS, NR_COUNTERS * 2, PC(32) - (distance), \
		     scale),                                            \
	      LANDS(32, index))
/* The same by the formula, with the scale @used */
#define RULE(distance, scale, used) COUNTS(distance, scale, BSD(distance, used))
#define FORMULA(scale) GROUP(RULE(0, scale, scale), RULE(1003, scale, scale))

#define REPLACES                                                          \
	GROUP(SITES(0, COUNTERS), SITES(0, OTHER), LANDS_IN(OTHER, 4, 4), \
	      ZEROS(0, NR_COUNTERS))
#define REFUSES_BUFFERS GROUP(SITES(EFAULT, LOW), SITES(EFAULT, FIXED))
#define SURVIVES_UNMAPPING                               \
	GROUP(SITES(0, COUNTERS), LANDS(5, 5), UNMAP(5), \
	      PROFIL(0, COUNTERS, 0, ZERO, 0))

#define ONE SPAN(0, 0, NR_SITES)
#define FROM(at_, nr_, scale_) OF(.at = at_, .nr = nr_, .scale = scale_)

unsigned int steps_begin(const char *subject)
{
	bool is_strict = !strcmp(subject, "strict");

	if (!is_strict && strcmp(subject, "default"))
		setenv("PROFIL_DIALECT", subject, 1);
	return is_strict ? PROF_STRICT : 0;
}

/* AIX's structure */
struct aix_prof {
	char *low;
	char *high;
	void *counters;
	int size;
	unsigned int scale;
};

TEST("aix: both syntaxes of a program without AIX's header, see aix.c")
{
	unsigned short *counters = steps_buffer(COUNTERS);
	struct aix_prof array[] = {
		{ (char *)site(2), (char *)site(4), counters, 4,
		  SITE_SCALE(2) },
		{ 0 },
	};

	setenv("PROFIL_DIALECT", "aix", 1);
	CHECK_EQUAL(0, steps_profil(array, -1, 0, 0));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 1));
	CHECK_EQUAL(0, steps_profil(counters, 0, 0, 0));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, steps_profil(&array[1], UINT_MAX, 0, 0));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, steps_profil(counters, NR_COUNTERS * 2,
				    site_pc(32) - 1001, 0xffff));
	memset(counters, 0, page_size());
	CHECK(counts_only_at(32, counters, 2, NR_COUNTERS, AIX(1001, 0xffff)));
	return true;
}

/* Whether two calls print @said, and follow the rules of 4.4BSD */
static bool prints_in_two_calls(const char *said)
{
	void *counters = steps_buffer(COUNTERS);
	char text[256] = "";
	int saved = dup(STDERR_FILENO), file = memfd_create("stderr", 0);

	dup2(file, STDERR_FILENO);
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(0, steps_profil(counters, NR_COUNTERS * 2,
					    site_pc(32) - 900, 0x18000));
	dup2(saved, STDERR_FILENO);
	close(saved);
	CHECK(pread(file, text, sizeof(text) - 1, 0) >= 0);
	close(file);
	if (strcmp(text, said)) {
		printf("# printed: %s", text);
		return false;
	}
	return counts_only_at(32, counters, 2, NR_COUNTERS, BSD(900, 0x18000));
}

TEST("ultrix: an unknown dialect is reported once")
{
	static const char sentence[] =
		"libprofil: PROFIL_DIALECT is unknown: set it to aix, svr4, bsd or irix\n";

	setenv("PROFIL_DIALECT", "ultrix", 1);
	return prints_in_two_calls(sentence);
}

TEST("an empty dialect is the default")
{
	setenv("PROFIL_DIALECT", "", 1);
	return prints_in_two_calls("");
}

/* Rows about one dialect, and those of IRIX that PROF_STRICT keeps */
#define SVR4(...) ROWS("svr4", __VA_ARGS__)
#define BSD44(...) ROWS("bsd", __VA_ARGS__)
#define IRIX(...) ROWS("irix", __VA_ARGS__)
#define STRICT(...) ROWS("irix strict", __VA_ARGS__)

static const struct row rows[] = {
	/* SVR4: profil(2) */
	SVR4("Once one of the counts reaches 32767 [...] profiling stops",
	     SET(5, SHRT_MAX - 3), SITES(0, COUNTERS), LANDS(6, 6),
	     /* "and no more data is collected" */
	     UNTIL(5, SHRT_MAX), MISSES(5), MISSES(6), IS(5, SHRT_MAX),
	     SET(5, 0), SITES(0, COUNTERS), LANDS(6, 6)),
	SVR4("scale is interpreted as an unsigned 16-bit fixed-point fraction",
	     RULE(900, 0x18000, 0x8000), RULE(900, 0xfff04321, 0x4321),
	     OFF_BY(0x20000), OFF_BY(0x10001)),
	SVR4("0xffff (approximately 1), maps subdivisions 2 bytes long",
	     COUNTS(1000, 0xffff, 499)),
	SVR4("0x4000, maps subdivisions 8 bytes long to each counter",
	     COUNTS(1007, 0x4000, 125), COUNTS(1008, 0x4000, 126)),
	SVR4("0x0002 (1/32,768), maps subdivision 65,536 bytes long",
	     COUNTS(65535, 2, 0), COUNTS(65536, 2, 1)),
	SVR4("RATIO * 0200000L, where RATIO is [...] bufsiz to profiled region size",
	     PROFIL(0, COUNTERS, NR_SITES * 2, SITE(0),
		    NR_SITES * 2 * 0200000L / SITES_BYTES),
	     LANDS(0, 0), LANDS(63, 63)),
	SVR4("RATIO [...] has a value between 0 and 1",
	     RULE(1000, (unsigned int)(1.0 * 0200000L), 0x10000)),
	SVR4("offset is subtracted from the current value of the program counter",
	     PROFIL(0, COUNTERS, NR_SITES * 2, SITE(8), SITE_SCALE(2)),
	     MISSES(7), LANDS(8, 0)),
	SVR4("Profiling is turned off by giving a scale value of 0 or 1",
	     OFF_BY(0), OFF_BY(1)),
	SVR4("and is rendered ineffective by giving a bufsiz value of 0",
	     PROFIL(0, COUNTERS, 0, SITE(0), 0x8000), MISSES(3),
	     PROFIL(0, COUNTERS, 0, ZERO, 0)),
	SVR4("turned off if a buff update would cause a memory fault",
	     SURVIVES_UNMAPPING, REFUSES_BUFFERS),

	/* All of them */
	ROWS("svr4 bsd", "a start replaces the profile", REPLACES),
	ROWS("svr4 bsd irix",
	     "remains on in both child and parent after a fork(2)",
	     SITES(0, COUNTERS), FORK),
	ROWS("svr4 bsd irix",
	     "turned off when one of the exec family is executed",
	     SITES(0, COUNTERS), EXEC),

	/* 4.4BSD: profil(2), by name and by default */
	ROWS("bsd default", "[(pc - offset) / 2] * scale / 65536",
	     FORMULA(65536), FORMULA(32768), FORMULA(16384), FORMULA(0x1234),
	     FORMULA(0xffff), FORMULA(3), FORMULA(2)),
	BSD44("A scale of 65536 maps each bin to 2 bytes; 32768 gives 4, 16384 [...] 8",
	      COUNTS(200, 65536, 100), COUNTS(201, 65536, 100),
	      COUNTS(400, 32768, 100), COUNTS(403, 32768, 100),
	      COUNTS(800, 16384, 100), COUNTS(807, 16384, 100)),
	/* LTP's profil01 has one. */
	BSD44("a scale above the manual's 65536", RULE(900, 0x20000, 0x20000)),
	BSD44("the lowest address at which the kernel takes program counter samples",
	      PROFIL(0, COUNTERS, NR_COUNTERS * 2, PC(32) + 1, 65536),
	      MISSES(32), RULE(0, 65536, 65536)),
	BSD44("is divided into a series of 16-bit bins, and a full one stays full",
	      SET(5, SHRT_MAX), SET(7, USHRT_MAX - 1), SITES(0, COUNTERS),
	      LANDS(5, 5), UNTIL(7, USHRT_MAX), MISSES(7)),
	/* "If the scale value is nonzero": with scale 0 no address is illegal. */
	BSD44("A scale value of 0 disables profiling.", OFF_BY(0),
	      PROFIL(0, LOW, 128, ZERO, 0), PROFIL(0, NOTHING, 128, ZERO, 0),
	      PROFIL(0, NOTHING, 0, ZERO, 65536)),
	BSD44("The scale parameter ranges from 1: 128 KiB in a bin",
	      RULE(0, 1, 1), RULE(65535, 1, 1), RULE(65536, 1, 1),
	      RULE(131071, 1, 1), RULE(131072, 1, 1), RULE(400000, 1, 1),
	      PROFIL(0, COUNTERS, 4, PC(32) - 262144, 1), MISSES_LOOP(32),
	      PROFIL(0, COUNTERS, 4, PC(32) + 1, 1), MISSES(32),
	      PROFIL(0, COUNTERS, 0, ZERO, 1), OFF),
	BSD44("a bin far behind the offset", RULE(0x3000000, 1, 1)),
	/* "char *samples", which may be odd */
	BSD44("contains an illegal address, profil returns -1, profiling is terminated",
	      SITES(0, COUNTERS), REFUSES_BUFFERS, OFF, SITES(0, COUNTERS),
	      SITES(EFAULT, NOTHING), OFF, SITES(EFAULT, ODD)),
	/* The library implements the scale 1 separately. */
	BSD44("an illegal address, with the scale 1",
	      PROFIL(0, COUNTERS, ALL, ZERO, 1), ON,
	      PROFIL(EFAULT, NOTHING, 64, ZERO, 1), OFF,
	      PROFIL(EFAULT, LOW, 64, ZERO, 1),
	      PROFIL(EFAULT, ODD, 64, ZERO, 1), PROTECT,
	      PROFIL(EFAULT, COUNTERS, ALL, ZERO, 1)),
	BSD44("Profiling is turned off if an update in buff would cause a memory fault",
	      SURVIVES_UNMAPPING),

	/* IRIX: sprofil(2) */
	STRICT("profcnt was less than or equal to 0, or greater than PROFIL_MAX",
	       LIST(E2BIG, 0, 0, ONE), LIST_AT(E2BIG, NOTHING, 0, 0),
	       LIST(E2BIG, 0, -1, ONE), LIST(E2BIG, 0, PROFIL_MAX + 1, ONE),
	       LIST(0, 0, 1, ONE)),
	STRICT("such an overflow bin should always be last, or else EINVAL",
	       LIST(0, PROF_UINT, 3, SPAN(0, 1, 1), SPAN(1, 2, 1), BIN(2)),
	       LIST(EINVAL, PROF_UINT, 3, BIN(2), SPAN(1, 2, 1), SPAN(0, 1, 1)),
	       OFF,
	       LIST(EINVAL, PROF_UINT, 3, SPAN(1, 2, 1), BIN(2), SPAN(0, 1, 1)),
	       LIST(0, PROF_UINT, 2, SPAN(1, 2, 1), BIN(2))),
	STRICT("flags does not contain one of the values (PROF_USHORT or PROF_UINT)",
	       LIST(EINVAL, PROF_UINT64, 1, ONE), LIST(EINVAL, 32, 1, ONE),
	       LIST(0, PROF_USHORT, 1, ONE), LIST(0, PROF_UINT, 1, ONE),
	       LIST(0, PROF_UINT | PROF_FAST, 1, ONE)),
	IRIX("Either profp or tvp points to an illegal address.",
	     LIST_AT(EFAULT, LOW, PROF_UINT, 1),
	     LIST_AT(EFAULT, NOTHING, PROF_UINT, 1),
	     LIST_TIME(EFAULT, LOW, PROF_UINT, 1, ONE)),
	/* The call succeeds, and the other regions count. Their order is checked. */
	STRICT("turned off for the specified region if a pr_base update would fault",
	       LIST(0, PROF_UINT, 5, SPAN_IN(LOW, 0, 4, 4),
		    SPAN_IN(FIXED, 0, 8, 4), SPAN_IN(ODD, 0, 12, 4),
		    SPAN(0, 32, 4), BIN_IN(OTHER, 0)),
	       LANDS(33, 1), MORE_IN(OTHER, 4, 0), MORE_IN(OTHER, 8, 0),
	       MORE_IN(OTHER, 12, 0),
	       LIST(0, PROF_UINT, 5, SPAN_IN(LOW, 0, 4, 4),
		    SPAN_IN(FIXED, 0, 8, 4), SPAN_IN(ODD, 0, 12, 4),
		    SPAN(0, 32, 4), BIN_IN(LOW, 0)),
	       LANDS(34, 2),
	       LIST(EINVAL, PROF_UINT, 4, BIN_IN(LOW, 0),
		    SPAN_IN(FIXED, 0, 8, 4), SPAN_IN(ODD, 0, 12, 4),
		    SPAN(0, 32, 4)),
	       LIST(0, PROF_UINT, 1, BIN_IN(LOW, 0))),
	/* With the size of 1 that PAPI gives */
	STRICT("the first counter of the specified pr_base",
	       LIST(0, PROF_USHORT, 2, SPAN(0, 8, 2), BIN(100, .bytes = 1)),
	       LANDS(40, 100),
	       /* "rendered ineffective by giving a bufsiz of 0" */
	       LIST(0, PROF_USHORT, 2, SPAN(0, 8, 2),
		    BIN(100, .bytes = NO_BYTES)),
	       MISSES(40),
	       LIST(0, PROF_USHORT, 2, BIN(100, .bytes = NO_BYTES),
		    SPAN(0, 8, 2)),
	       LANDS(9, 1)),
	ROWS("default", "a region too small for a counter has none",
	     LIST(0, PROF_USHORT, 1, BIN(0, .bytes = 1)), MISSES(40)),
	/* For instructions of 4 bytes */
	IRIX("1-1 mapping of instructions to counters for PROF_USHORT and 0x8000",
	     LIST(0, PROF_USHORT, 1, FROM(PC(32) - 403, NR_COUNTERS, 0x8000)),
	     LANDS(32, 100)),
	IRIX("or PROF_UINT and a pr_scale of 0x10000",
	     LIST(0, PROF_UINT, 1, FROM(PC(32) - 403, NR_COUNTERS, 0x10000)),
	     LANDS(32, 100)),
	/* "If more than one [...] has the same offset, the first one is chosen" */
	IRIX("the largest offset less than the value of the program counter",
	     LIST(0, PROF_UINT, 3, SPAN(100, 8, 8), ONE, SPAN(200, 8, 8)),
	     LANDS(10, 102), LANDS(20, 20), LANDS(7, 7)),
	/* Nothing else is counted, until the bin is stopped. */
	IRIX("will act as an overflow bin. Any PC value not previously matched",
	     LIST(0, PROF_UINT, 2, SPAN(0, 8, 2), BIN(100)), MORE(1, 100),
	     MORE(63, 100), MORE(9, 1), ZEROS(2, 100), ZEROS(101, NR_COUNTERS)),
	IRIX("not enabled for a given text region if pr_scale is 0 or 1, or bufsiz 0",
	     LIST(0, PROF_UINT, 4, SPAN(100, 4, 4, .scale = NO_SCALE),
		  SPAN(200, 4, 4, .scale = 1),
		  SPAN(300, 4, 4, .bytes = NO_BYTES), ONE),
	     LANDS(5, 5)),
	IRIX("Each call to sprofil will disable any profiling enabled by previous",
	     LIST(0, PROF_UINT, 1, ONE),
	     LIST(0, PROF_UINT, 1, SPAN(100, 0, 64)), LANDS(5, 105)),
	IRIX("turned off for the specified region [...] if a pr_base update would",
	     LIST(0, PROF_UINT, 2, SPAN(0, 4, 1),
		  SPAN_IN(OTHER, 0, 0, NR_SITES)),
	     UNMAP(4), LANDS_IN(OTHER, 5, 5)),
	IRIX("profil(2) has the same effect as calling sprofil with just one",
	     RULE(1003, 0x18000, 0x18000), CLEAR,
	     PROFIL(0, COUNTERS, 8, ZERO, 2), LANDS(3, 0), OFF_BY(1),
	     SITES(0, COUNTERS), SITES(0, LOW), OFF, SITES(0, ODD), OFF,
	     PROFIL(0, COUNTERS, 1, ZERO, 2), LANDS(3, 0)),
	IRIX("disabled using the restrict_fastprof tuneable system parameter",
	     RESTRICT(1), LIST(EACCES, PROF_UINT | PROF_FAST, 1, ONE),
	     RESTRICT(0), LIST(0, PROF_UINT | PROF_FAST, 1, ONE)),
	IRIX("samples once every millisecond; the time value [...] to one clock tick",
	     LIST_TAKES(1000, PROF_UINT | PROF_FAST, 1, ONE),
	     LIST_TAKES(TICK, PROF_UINT, 1, ONE)),

	BSD44("an overflow bin may be anywhere, and a list empty",
	      LIST(0, PROF_UINT, 2, BIN(0), SPAN(1, 2, 1)),
	      LIST_AT(0, NOTHING, 0, 0), OFF,
	      LIST(0, PROF_UINT64, 2, BIN(0), SPAN(1, 2, 1))),
};

int main(int argc, char **argv)
{
	return steps_run(argc, argv, rows, ARRAY_LENGTH(rows));
}
