// SPDX-License-Identifier: GPL-2.0-only
/*
 * AIX's profil()
 *
 * A row quotes the words of the manual "profil Subroutine" that it checks. AIX's header
 * and glibc's have different structures of the same name, so that plain_profil.c calls
 * 4.4BSD's profil().
 */
#include <mon.h>

#include "process_state.h"
#include "steps.h"
#include "tap.h"

/* Site 32, @distance behind the offset, counts at @index. */
#define COUNTS(distance, scale, index)                                  \
	GROUP(CLEAR,                                                    \
	      PROFIL(0, COUNTERS, NR_COUNTERS * 2, PC(32) - (distance), \
		     scale),                                            \
	      LANDS(32, index), STOP)
#define RULE(distance, scale) COUNTS(distance, scale, AIX(distance, scale))

#define ARRAY(result, ...) LIST(result, 0, 0, __VA_ARGS__)
#define ARRAY_AT(result, buffer) LIST_AT(result, buffer, 0, 0)
#define STOP_ARRAY ARRAY(0, OF(.nr = 0))

int steps_profil(void *counters, size_t size, uintptr_t offset,
		 unsigned int scale)
{
	return profil(counters, size, offset, scale);
}

static struct prof range_for(const struct span *span)
{
	long end = span->at + SITE(span->nr);

	if (!span->nr)
		return (struct prof){ 0 };
	return (struct prof){
		.p_low = (char *)steps_text(span->at),
		.p_high = (char *)steps_text(span->end ? span->end : end),
		.p_buff = (HISTCOUNTER *)steps_buffer(span->buffer) +
			  span->counter,
		.p_bufsize = span_bytes(span, 2),
		.p_scale = span_scale(span, 2),
	};
}

/* A span without counters ends the array. @nr and @flags are offset and scale. */
int steps_list(const struct span *spans, const void *at, int nr, void *time,
	       unsigned int flags)
{
	struct prof array[6];

	(void)time;
	for (int i = 0; spans && i < 6; i++)
		array[i] = range_for(&spans[i]);
	return profil(spans ? (void *)array : (void *)at, -1, nr, flags);
}

static int start_array(const struct prof *array)
{
	return errno_of(profil((void *)array, -1, 0, 0));
}

static int stop_array(void)
{
	const struct prof none = { 0 };

	return start_array(&none);
}

static int stop_buffer(void)
{
	return errno_of(profil(NULL, 0, 0, 0));
}

static int count_all_sites(void *counters)
{
	return errno_of(profil(counters, NR_SITES * 2, (uintptr_t)profil_sites,
			       SITE_SCALE(2)));
}

/* A range of @nr sites from @first, with one counter for each */
static struct prof range_of(unsigned int first, unsigned int nr, void *counters)
{
	return (struct prof){
		.p_low = (char *)site(first),
		.p_high = (char *)site(first + nr),
		.p_buff = counters,
		.p_bufsize = nr * 2,
		.p_scale = SITE_SCALE(2),
	};
}

TEST("a p_high member set to 0; all other fields in this last structure")
{
	struct prof *array = new_at_hole(2 * sizeof(*array));
	struct prof *cut = new_at_hole(sizeof(*cut));
	unsigned short *counters = steps_buffer(COUNTERS);

	array[0] = range_of(2, 2, counters);
	memset(&array[1], POISON, sizeof(*array));
	array[1].p_high = NULL;
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 1));
	/* "the p_high element of the first structure is equal to 0" */
	CHECK_EQUAL(0, start_array(&array[1]));
	CHECK(!driver_is_on());
	*cut = array[0];
	CHECK_EQUAL(EFAULT, start_array(cut));
	return true;
}

TEST("not sufficient resources to pin the profiling buffer in real storage")
{
	struct rlimit none = { 0, 0 };
	unsigned short *counters = steps_buffer(COUNTERS);
	struct prof array[] = { range_of(2, 2, counters), { 0 } };

	CHECK_EQUAL(0, setrlimit(RLIMIT_MEMLOCK, &none));
	CHECK_EQUAL(0, setuid(65534));
	CHECK_EQUAL(EFAULT, count_all_sites(counters));
	CHECK_EQUAL(EFAULT, start_array(array));
	return true;
}

TEST("Profiling remains on in both the child process and the parent process")
{
	unsigned short *counters = steps_buffer(COUNTERS);
	struct prof array[] = { range_of(2, 2, counters), { 0 } };

	CHECK_EQUAL(0, start_array(array));
	/* The same syntax stops profiling in the child. */
	CHECK(CHILD_OK(!counts_only_at(3, counters, 2, NR_COUNTERS, 1) ||
		       stop_buffer() || !driver_is_on() || stop_array() ||
		       driver_is_on()));
	CHECK(counts_only_at(2, counters, 2, NR_COUNTERS, 0));
	return true;
}

/* profil() of another source file is 4.4BSD's: a start replaces the profile. */
TEST("4.4BSD's profil() works beside AIX's")
{
	unsigned short *first = steps_buffer(COUNTERS);
	unsigned short *second = steps_buffer(OTHER);

	CHECK_EQUAL(0, count_all_sites(first));
	CHECK_EQUAL(0, plain_profil(second, 128, (uintptr_t)profil_sites,
				    SITE_SCALE(2)));
	CHECK(counts_only_at(4, second, 2, NR_COUNTERS, 4));
	CHECK(all_bytes(first, 0, page_size()));
	/* AIX's profil() stops a profile of neither syntax. */
	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, stop_array());
	CHECK(driver_is_on());
	CHECK_EQUAL(0, plain_profil(second, 0, 0, 0));
	CHECK(!driver_is_on());
	return true;
}

/* profil_svr4() is tested further in dialects.c. */
TEST("SVR4's profil() works beside AIX's")
{
	unsigned short *counters = steps_buffer(COUNTERS);
	uintptr_t text = (uintptr_t)profil_sites;

	counters[5] = SHRT_MAX - 3;
	CHECK_EQUAL(0, plain_profil_svr4(counters, 128, text,
					 0x10000 | SITE_SCALE(2)));
	CHECK(spin_until(5, counters, 2, SHRT_MAX));
	CHECK(counts_nowhere(6, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(SHRT_MAX, counters[5]);
	CHECK_EQUAL(0, plain_profil_svr4(counters, 128, text, 0x20000));
	CHECK(!driver_is_on());
	return true;
}

/*
 * Samples at one site of a range with the scale -1. profil_aix.3profil has the scale that
 * is used: the largest up to that of both sizes with which the last byte has a counter.
 */
#define LANDS_OF_RANGE(range, site, index) \
	GROUP(CLEAR, ARRAY(0, range), LANDS(site, index), STOP_ARRAY)
#define COMPUTED(bytes_, used)                                  \
	LANDS_OF_RANGE(OF(.at = SITE(4), .nr = 32, .scale = -1, \
			  .bytes = bytes_),                     \
		       20, AIX(PC(16), used))
#define COVERS(bytes_, index)                                  \
	LANDS_OF_RANGE(OF(.at = SITE(4), .nr = 1, .scale = -1, \
			  .end = PC(35) + 1, .bytes = bytes_), \
		       35, index)
#define ENDS(result, a, b, c)                        \
	ARRAY(result, SPAN(0, 2, 2, .end = SITE(a)), \
	      SPAN(2, 10, 2, .end = SITE(b)), SPAN(4, 20, 2, .end = SITE(c)))

static const struct row rows[] = {
	/* "multiplied by the value of the Scale" */
	ROW("The value of the Offset parameter is subtracted, rounded up to the next half-word",
	    RULE(0, 0x8000), RULE(1, 0x8000), RULE(2, 0x8000), RULE(3, 0x8000),
	    RULE(5, 0x8000), RULE(64, 0x8000), RULE(1023, 0x8000),
	    RULE(0, 0x4321), RULE(1, 0x4321), RULE(2, 0x4321), RULE(3, 0x4321),
	    RULE(5, 0x4321), RULE(64, 0x4321), RULE(1023, 0x4321)),
	ROW("0xFFFF Maps approximately each pair of bytes: exactly so at even PCs",
	    COUNTS(1000, 0xffff, 500), COUNTS(1002, 0xffff, 501),
	    COUNTS(1004, 0xffff, 502), RULE(1001, 0xffff)),
	ROW("0x7FFF Maps approximately every four bytes to a short",
	    COUNTS(1000, 0x7fff, 250), RULE(1004, 0x7fff)),
	ROW("The most significant 16 bits of the Scale parameter are ignored.",
	    RULE(100, 0xabcd8000), RULE(100, 0x18000), CLEAR,
	    PROFIL(0, COUNTERS, NR_COUNTERS * 2, ZERO, 0x10000), OFF,
	    PROFIL(0, COUNTERS, NR_COUNTERS * 2, ZERO, 0xffff0001), OFF,
	    PROFIL(0, COUNTERS, NR_COUNTERS * 2, ZERO, 0x50002), LANDS(9, 0)),
	ROW("0x0002 Maps all instructions to the same location",
	    PROFIL(0, COUNTERS, 8, PC(32), 2), LANDS(32, 0), LANDS(63, 0),
	    LANDS(1, 0)),
	ROW("0x0001 Turns profiling off. 0x0000 Turns profiling off.",
	    OFF_BY(0), OFF_BY(1)),
	ROW("rendered ineffective by giving a value of 0 for the BufferSize",
	    PROFIL(0, COUNTERS, 0, SITE(0), 0x8000), OFF, MISSES(3),
	    SITES(0, COUNTERS), PROFIL(0, COUNTERS, 0, SITE(0), 0x8000), OFF),
	ROW("would overflow an unsigned short, it remains USHRT_MAX",
	    SET(5, USHRT_MAX - 2), SITES(0, COUNTERS), UNTIL(5, USHRT_MAX),
	    MISSES(5), IS(5, USHRT_MAX), LANDS(6, 6)),
	ROW("If the resulting number is less than the BufferSize value",
	    PROFIL(0, COUNTERS, 9, SITE(0), SITE_SCALE(2)), LANDS(3, 3),
	    MISSES(4), MISSES(63)),
	/* No sample below it counts. More counters would include executed code. */
	ROW("a 0 Offset implies that text begins at 0",
	    PROFIL(0, COUNTERS, NR_SITES * 2, SITE(8), SITE_SCALE(2)),
	    MISSES(7), LANDS(8, 0)),

	/* Calls without effect */
	ROW("ineffective if the call is attempting to turn on profiling when it is",
	    SITES(0, COUNTERS), SITES(0, OTHER), LANDS(4, 4),
	    ARRAY(0, SPAN_IN(OTHER, 0, 0, 64)), LANDS(4, 4),
	    PROFIL(0, LOW, 128, ZERO, 0x8000), LANDS(4, 4),
	    ZEROS_IN(OTHER, 0, NR_COUNTERS), STOP,
	    ARRAY(0, SPAN_IN(OTHER, 0, 0, 64)), SITES(0, COUNTERS),
	    ARRAY(0, SPAN_IN(OTHER, 0, 0, 64)), LANDS_IN(OTHER, 4, 4)),
	/* "if [...] profiling is already turned on": as long as one range has counters */
	ROW("a profile without counters is replaced", SITES(0, COUNTERS),
	    UNMAP(5), SITES(0, OTHER), LANDS_IN(OTHER, 4, 4), STOP,
	    ARRAY(0, SPAN_IN(THIRD, 0, 2, 2), SPAN_IN(FOURTH, 0, 10, 2)),
	    UNMAP_IN(THIRD, 3), CLEAR_IN(OTHER), SITES(0, OTHER),
	    MORE_IN(FOURTH, 11, 1), MISSES_IN(OTHER, 4), UNMAP_IN(FOURTH, 11),
	    SITES(0, OTHER), LANDS_IN(OTHER, 4, 4)),
	ROW("attempting to turn off profiling when profiling is already turned off",
	    STOP, STOP_ARRAY, OFF, SITES(0, COUNTERS), STOP, STOP,
	    SITES(0, COUNTERS), LANDS(4, 4)),
	ROW("an attempt is made to turn profiling off using the other syntax",
	    SITES(0, COUNTERS), STOP_ARRAY, ON, STOP, OFF,
	    ARRAY(0, SPAN(0, 0, 64)), STOP,
	    PROFIL(0, COUNTERS, 0, ZERO, 0x8000), ON, STOP_ARRAY, OFF),

	/* The array */
	ROW("ProfBuffer parameter points to an array of prof structures",
	    ARRAY(0, SPAN(0, 2, 2), SPAN(2, 10, 4), SPAN(6, 14, 1)),
	    LANDS(2, 0), LANDS(3, 1), LANDS(11, 3), LANDS(14, 6), MISSES(1),
	    MISSES(4), MISSES(15)),
	/* Even in the middle of the text of a counter, which site 3 would have, too */
	ROW("p_high ends a range",
	    ARRAY(0, SPAN(0, 2, 2, .scale = 0x200, .bytes = NR_COUNTERS * 2,
			  .end = PC(3))),
	    MISSES_LOOP(3), MISSES(4), MISSES(40), LANDS(2, AIX(PC(0), 0x200)),
	    STOP_ARRAY,
	    ARRAY(0, SPAN(0, 2, 2, .scale = 0x200, .bytes = NR_COUNTERS * 2,
			  .end = PC(3) + 1)),
	    LANDS(3, AIX(PC(1), 0x200))),
	ROW("If the p_scale member has the value of -1, a value for it is computed",
	    COMPUTED(64, 2016), COMPUTED(682, 21802), COMPUTED(8192, 0xffff)),
	ROW("computed based on p_low, p_high, and p_bufsize: the last byte has a counter",
	    COVERS(2, 0), COVERS(34, 16), COVERS(64, 31), COVERS(342, 170),
	    COVERS(2048, AIX(PC(31), 0xffff)),
	    COVERS(4096, AIX(PC(31), 0xffff)),
	    LANDS_OF_RANGE(OF(.nr = 1, .scale = -1, .end = 40000), 20, 0)),
	ROW("otherwise p_scale is interpreted like the scale argument in the first",
	    ARRAY(0, SPAN(0, 2, 2, .scale = 0x70000 | SITE_SCALE(2)),
		  SPAN(2, 10, 2, .scale = 0x10001),
		  SPAN(4, 20, 2, .scale = NO_SCALE),
		  SPAN(6, 30, 2, .scale = 2)),
	    MORE(3, 1), LANDS(10, 6), LANDS(21, 6), LANDS(63, 6)),
	ROW("The p_high members in successive structures must be in ascending sequence",
	    ENDS(EINVAL, 4, 12, 12), ENDS(EINVAL, 4, 12, 4), OFF,
	    ENDS(0, 4, 12, 22)),
	/* The manual has no error for gaps in it, or for another order. */
	ROW("must point into a single contiguous buffer space",
	    ARRAY(0, SPAN(8, 2, 2), SPAN(16, 10, 2), SPAN(0, 20, 2)),
	    LANDS(3, 9), LANDS(11, 17), LANDS(20, 0)),

	/* Errors */
	ROW("The address specified by the ShortBuffer or ProfBuffer is not valid",
	    SITES(EFAULT, NOTHING), SITES(EFAULT, LOW), SITES(EFAULT, HOLE),
	    SITES(EFAULT, FIXED), SITES(EFAULT, ODD), ARRAY_AT(EFAULT, NOTHING),
	    ARRAY_AT(EFAULT, LOW), OFF),
	ROW("or the address specified by a p_buff field is not valid",
	    ARRAY(EFAULT, SPAN_IN(LOW, 0, 2, 2)),
	    ARRAY(EFAULT, SPAN_IN(HOLE, 30, 2, 2), SPAN_IN(HOLE, 32, 9, 2)),
	    ARRAY(0, SPAN_IN(HOLE, 30, 2, 2))),
	ROW("the Offset and Scale parameters are ignored",
	    LIST(0, 0x8000, 12345, SPAN(0, 2, 2)), LANDS(3, 1),
	    LIST(0, 0x8000, 12345, OF(.nr = 0)), OFF),

	ROW("Profiling is turned off when an exec subroutine is run.",
	    SITES(0, COUNTERS), EXEC),
};

int main(int argc, char **argv)
{
	return steps_run(argc, argv, rows, ARRAY_LENGTH(rows));
}
