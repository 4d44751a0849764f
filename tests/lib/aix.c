// SPDX-License-Identifier: GPL-2.0-only
/*
 * AIX's profil()
 *
 * The comment of a test quotes the words of the manual "profil Subroutine" that
 * the test checks. AIX's header and glibc's have different structures of the
 * same name, so that plain_profil.c calls 4.4BSD's profil().
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <mon.h>

#include "../selftests/profil/common.h"
#include "plain_profil.h"
#include "expected_counts.h"
#include "process_state.h"
#include "tap.h"

#define NR_COUNTERS 2048

/* Two pages of counters */
static unsigned short *new_counters(void)
{
	return new_pages(2 * page_size());
}

/* @bytes before a page that cannot be read */
static void *new_before_unreadable(size_t bytes)
{
	size_t page = page_size();
	char *pages = new_pages(2 * page);

	if (!pages || mprotect(pages + page, page, PROT_NONE))
		return NULL;
	return pages + page - bytes;
}

static int start_at(void *counters, unsigned int size, uintptr_t offset,
		    unsigned int scale)
{
	return errno_of(profil(counters, size, offset, scale));
}

static int count_all_sites(void *counters)
{
	return start_at(counters, NR_SITES * 2, (uintptr_t)profil_sites,
			SITE_SCALE(2));
}

static int stop_buffer(void)
{
	return start_at(NULL, 0, 0, 0);
}

static int start_array(const struct prof *array)
{
	return start_at((void *)array, -1, 0, 0);
}

static int stop_array(void)
{
	const struct prof none = { 0 };

	return start_array(&none);
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

/*
 * The arithmetic
 */

/* Whether site 32, @distance behind the offset, counts at the rule's index */
static bool counts_at_rule(uint64_t distance, unsigned int scale)
{
	unsigned short *counters = new_counters();

	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2,
				site_pc(32) - distance, scale));
	CHECK(counts_only_at(32, counters, 2, NR_COUNTERS,
			     aix_index(distance, scale & 0xffff)));
	CHECK_EQUAL(0, stop_buffer());
	return true;
}

/*
 * "The value of the Offset parameter is subtracted from the pc"; "multiplied by
 * the value of the Scale", "rounded up to the next half-word".
 */
static bool the_product_is_rounded_up(void)
{
	static const uint64_t distances[] = { 0, 1, 2, 3, 5, 64, 1023 };

	for (size_t i = 0; i < ARRAY_LENGTH(distances); i++) {
		CHECK(counts_at_rule(distances[i], 0x8000));
		CHECK(counts_at_rule(distances[i], 0x4321));
	}
	return true;
}

/* "0xFFFF Maps approximately each pair of bytes": exactly so at even PCs */
static bool scale_ffff_is_a_counter_for_2_bytes(void)
{
	for (uint64_t distance = 1000; distance < 1006; distance += 2) {
		CHECK_EQUAL(distance / 2, aix_index(distance, 0xffff));
		CHECK(counts_at_rule(distance, 0xffff));
	}
	CHECK(counts_at_rule(1001, 0xffff));
	return true;
}

/* "0x7FFF Maps approximately every four bytes to a short" */
static bool scale_7fff_is_a_counter_for_4_bytes(void)
{
	CHECK_EQUAL(250, aix_index(1000, 0x7fff));
	CHECK(counts_at_rule(1000, 0x7fff));
	CHECK(counts_at_rule(1004, 0x7fff));
	return true;
}

/* "The most significant 16 bits of the Scale parameter are ignored." */
static bool the_upper_bits_of_scale_are_ignored(void)
{
	unsigned short *counters = new_counters();

	CHECK(counts_at_rule(100, 0xabcd8000));
	CHECK(counts_at_rule(100, 0x18000));
	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, 0, 0x10000));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, 0, 0xffff0001));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, 0, 0x50002));
	CHECK(counts_only_at(9, counters, 2, NR_COUNTERS, 0));
	return true;
}

/* "0x0002 Maps all instructions to the same location" */
static bool scale_2_counts_everything_in_one_counter(void)
{
	unsigned short *counters = new_counters();

	CHECK_EQUAL(0, start_at(counters, 8, site_pc(32), 2));
	CHECK(counts_only_at(32, counters, 2, NR_COUNTERS, 0));
	CHECK(counts_only_at(63, counters, 2, NR_COUNTERS, 0));
	CHECK(counts_only_at(1, counters, 2, NR_COUNTERS, 0));
	return true;
}

/* "0x0001 Turns profiling off. 0x0000 Turns profiling off." */
static bool scales_0_and_1_turn_profiling_off(void)
{
	unsigned short *counters = new_counters();

	for (unsigned int scale = 0; scale < 2; scale++) {
		CHECK_EQUAL(0, count_all_sites(counters));
		CHECK(driver_is_on());
		CHECK_EQUAL(0, start_at(counters, 128, 0, scale));
		CHECK(!driver_is_on());
		CHECK(counts_nowhere(3, counters, 2, NR_COUNTERS));
	}
	return true;
}

/* "rendered ineffective by giving a value of 0 for the BufferSize" */
static bool a_size_of_0_is_ineffective(void)
{
	unsigned short *counters = new_counters();

	CHECK_EQUAL(0, start_at(counters, 0, (uintptr_t)profil_sites, 0x8000));
	CHECK(!driver_is_on());
	CHECK(counts_nowhere(3, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, start_at(counters, 0, (uintptr_t)profil_sites, 0x8000));
	CHECK(!driver_is_on());
	return true;
}

/* "would overflow an unsigned short, it remains USHRT_MAX" */
static bool a_full_counter_remains_ushrt_max(void)
{
	unsigned short *counters = new_counters();

	counters[5] = USHRT_MAX - 2;
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(spin_until(5, counters, 2, USHRT_MAX));
	CHECK(counts_nowhere(5, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(USHRT_MAX, counters[5]);
	CHECK(counts_only_at(6, counters, 2, NR_COUNTERS, 6));
	return true;
}

/* "If the resulting number is less than the BufferSize value" */
static bool no_sample_counts_beyond_the_buffer(void)
{
	unsigned short *counters = new_counters();

	CHECK_EQUAL(0, start_at(counters, 9, (uintptr_t)profil_sites,
				SITE_SCALE(2)));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 3));
	CHECK(counts_nowhere(4, counters, 2, NR_COUNTERS));
	CHECK(counts_nowhere(63, counters, 2, NR_COUNTERS));
	return true;
}

/* "a 0 Offset implies that text begins at 0"; no sample below it counts. */
static bool samples_below_the_offset_do_not_count(void)
{
	unsigned short *counters = new_counters();

	/* More counters would include code that is executed. */
	CHECK_EQUAL(0, start_at(counters, NR_SITES * 2, (uintptr_t)site(8),
				SITE_SCALE(2)));
	CHECK(counts_nowhere(7, counters, 2, NR_COUNTERS));
	CHECK(counts_only_at(8, counters, 2, NR_COUNTERS, 0));
	return true;
}

/*
 * Calls without effect
 */

/* "ineffective if the call is attempting to turn on profiling when [it] is" */
static bool a_second_start_has_no_effect(void)
{
	unsigned short *first = new_counters(), *second = new_counters();
	struct prof array[] = { range_of(0, 64, second), { 0 } };

	CHECK_EQUAL(0, count_all_sites(first));
	CHECK_EQUAL(0, count_all_sites(second));
	CHECK(counts_only_at(4, first, 2, NR_COUNTERS, 4));
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(4, first, 2, NR_COUNTERS, 4));
	CHECK_EQUAL(0, start_at((void *)16, 128, 0, 0x8000));
	CHECK(counts_only_at(4, first, 2, NR_COUNTERS, 4));
	CHECK(all_bytes(second, 0, page_size()));
	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, start_array(array));
	CHECK_EQUAL(0, count_all_sites(first));
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(4, second, 2, NR_COUNTERS, 4));
	return true;
}

/*
 * "if the call is attempting to turn on profiling when profiling is already
 * turned on": profiling is on as long as one range has counters.
 */
static bool a_profile_without_counters_is_replaced(void)
{
	unsigned short *first = new_counters(), *second = new_counters();
	char *rest = (char *)first + page_size();
	struct prof array[] = {
		range_of(2, 2, first),
		range_of(10, 2, rest),
		{ 0 },
	};

	CHECK_EQUAL(0, count_all_sites(first));
	CHECK_EQUAL(0, munmap(first, page_size()));
	CHECK_EQUAL(0, count_all_sites(second));
	CHECK(counts_only_at(4, second, 2, NR_COUNTERS, 4));
	CHECK_EQUAL(0, stop_buffer());
	first = new_counters();
	rest = (char *)first + page_size();
	array[0].p_buff = first;
	array[1].p_buff = (void *)rest;
	CHECK_EQUAL(0, start_array(array));
	CHECK_EQUAL(0, munmap(first, page_size()));
	memset(second, 0, page_size());
	CHECK_EQUAL(0, count_all_sites(second));
	CHECK(spin_until_at(11, rest + 2, 2, 3));
	CHECK(counts_nowhere(4, second, 2, NR_COUNTERS));
	CHECK_EQUAL(0, munmap(rest, page_size()));
	CHECK_EQUAL(0, count_all_sites(second));
	CHECK(counts_only_at(4, second, 2, NR_COUNTERS, 4));
	return true;
}

/* "attempting to turn off profiling when profiling is already turned off" */
static bool a_stop_while_off_has_no_effect(void)
{
	unsigned short *counters = new_counters();

	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, stop_array());
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(counts_only_at(4, counters, 2, NR_COUNTERS, 4));
	return true;
}

/* "an attempt is made to turn profiling off using the other syntax" */
static bool the_other_syntax_does_not_stop_a_profile(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(0, 64, counters), { 0 } };

	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, stop_array());
	CHECK(driver_is_on());
	CHECK_EQUAL(0, stop_buffer());
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, start_array(array));
	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, start_at(counters, 0, 0, 0x8000));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, stop_array());
	CHECK(!driver_is_on());
	return true;
}

/*
 * The array
 */

/* "ProfBuffer parameter points to an array of prof structures" */
static bool each_range_has_its_own_counters(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = {
		range_of(2, 2, &counters[0]),
		range_of(10, 4, &counters[2]),
		range_of(14, 1, &counters[6]),
		{ 0 },
	};

	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(2, counters, 2, NR_COUNTERS, 0));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 1));
	CHECK(counts_only_at(11, counters, 2, NR_COUNTERS, 3));
	CHECK(counts_only_at(14, counters, 2, NR_COUNTERS, 6));
	CHECK(counts_nowhere(1, counters, 2, NR_COUNTERS));
	CHECK(counts_nowhere(4, counters, 2, NR_COUNTERS));
	CHECK(counts_nowhere(15, counters, 2, NR_COUNTERS));
	return true;
}

/* p_high ends a range, even in the middle of the text of a counter. */
static bool p_high_ends_a_range(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(2, 2, counters), { 0 } };

	array[0].p_bufsize = NR_COUNTERS * 2;
	array[0].p_scale = SITE_SCALE(2) / 4;
	array[0].p_high = (char *)site_pc(3);
	/* Site 3 would have the same counter. */
	CHECK_EQUAL(aix_index(site_pc(2) - (uintptr_t)site(2), 0x200),
		    aix_index(site_pc(3) - (uintptr_t)site(2), 0x200));
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_nowhere(3, counters, 2, NR_COUNTERS));
	CHECK(counts_nowhere(4, counters, 2, NR_COUNTERS));
	CHECK(counts_nowhere(40, counters, 2, NR_COUNTERS));
	CHECK(counts_only_at(2, counters, 2, NR_COUNTERS,
			     aix_index(site_pc(2) - (uintptr_t)site(2),
				       0x200)));
	CHECK_EQUAL(0, stop_array());
	array[0].p_high++;
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS,
			     aix_index(site_pc(3) - (uintptr_t)site(2),
				       0x200)));
	return true;
}

/*
 * The scale of profil_aix.3profil: the largest up to that of both sizes with which
 * the last byte of @text has one of @bytes / 2 counters
 */
static unsigned int computed_scale(size_t bytes, size_t text)
{
	unsigned int scale = bytes * 65536 / text;

	if (scale > 0xffff)
		scale = 0xffff;
	while (aix_index(text - 1, scale) >= bytes / 2)
		scale--;
	return scale;
}

/* "If the p_scale member has the value of -1, a value for it is computed" */
static bool a_scale_of_minus_1_is_computed(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(4, 32, counters), { 0 } };
	uint64_t distance = site_pc(20) - (uintptr_t)site(4);
	size_t text = 32 * SITE_BYTES;

	array[0].p_scale = -1;
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(20, counters, 2, NR_COUNTERS,
			     aix_index(distance, computed_scale(64, text))));
	CHECK_EQUAL(0, stop_array());
	array[0].p_bufsize = text / 3;
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(20, counters, 2, NR_COUNTERS,
			     aix_index(distance,
				       computed_scale(text / 3, text))));
	CHECK_EQUAL(0, stop_array());
	array[0].p_bufsize = 2 * page_size();
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(20, counters, 2, 2 * NR_COUNTERS,
			     aix_index(distance, 0xffff)));
	return true;
}

/*
 * "computed based on p_low, p_high, and p_bufsize": the last byte has a
 * counter.
 */
static bool a_computed_scale_covers_the_last_byte(void)
{
	static const int sizes[] = { 2, 34, 64, 342, 2048, 4096 };
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(4, 32, counters), { 0 } };
	uint64_t last = site_pc(35) - (uintptr_t)site(4);

	array[0].p_scale = -1;
	array[0].p_high = (char *)site_pc(35) + 1;
	for (size_t i = 0; i < ARRAY_LENGTH(sizes); i++) {
		size_t nr = sizes[i] / 2;

		array[0].p_bufsize = sizes[i];
		CHECK_EQUAL(0, start_array(array));
		CHECK(counts_only_at(35, counters, 2, NR_COUNTERS,
				     nr < 1024 ? nr - 1 :
						 aix_index(last, 0xffff)));
		CHECK_EQUAL(0, stop_array());
		memset(counters, 0, page_size());
	}
	return true;
}

/* "otherwise p_scale is interpreted like the scale argument in the first" */
static bool p_scale_has_the_meaning_of_scale(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = {
		range_of(2, 2, &counters[0]),
		range_of(10, 2, &counters[2]),
		range_of(20, 2, &counters[4]),
		range_of(30, 2, &counters[6]),
		{ 0 },
	};

	array[0].p_scale |= 0x70000;
	array[1].p_scale = 0x10001;
	array[2].p_scale = 0;
	array[3].p_scale = 2;
	CHECK_EQUAL(0, start_array(array));
	CHECK(spin_until_at(3, &counters[1], 2, 3));
	CHECK(counts_only_at(10, counters, 2, NR_COUNTERS, 6));
	CHECK(counts_only_at(21, counters, 2, NR_COUNTERS, 6));
	CHECK(counts_only_at(63, counters, 2, NR_COUNTERS, 6));
	return true;
}

/*
 * "The p_high members in successive structures must be in ascending sequence"
 */
static bool p_high_must_ascend(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = {
		range_of(2, 2, &counters[0]),
		range_of(10, 2, &counters[2]),
		range_of(20, 2, &counters[4]),
		{ 0 },
	};
	char *high = array[2].p_high;

	array[2].p_high = array[1].p_high;
	CHECK_EQUAL(EINVAL, start_array(array));
	array[2].p_high = array[0].p_high;
	CHECK_EQUAL(EINVAL, start_array(array));
	CHECK(!driver_is_on());
	array[2].p_high = high;
	CHECK_EQUAL(0, start_array(array));
	return true;
}

/*
 * "must point into a single contiguous buffer space": the manual has no error
 * for gaps in it, or for an order other than that of the ranges.
 */
static bool counters_of_ranges_may_have_gaps_and_any_order(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = {
		range_of(2, 2, &counters[8]),
		range_of(10, 2, &counters[16]),
		range_of(20, 2, &counters[0]),
		{ 0 },
	};

	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 9));
	CHECK(counts_only_at(11, counters, 2, NR_COUNTERS, 17));
	CHECK(counts_only_at(20, counters, 2, NR_COUNTERS, 0));
	CHECK_EQUAL(0, stop_array());
	return true;
}

/* "a p_high member set to 0; all other fields in this last structure" */
static bool only_p_high_ends_the_array(void)
{
	struct prof *array = new_before_unreadable(2 * sizeof(*array));
	unsigned short *counters = new_counters();

	array[0] = range_of(2, 2, counters);
	memset(&array[1], POISON, sizeof(*array));
	array[1].p_high = NULL;
	CHECK_EQUAL(0, start_array(array));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 1));
	/* "the p_high element of the first structure is equal to 0" */
	CHECK_EQUAL(0, start_array(&array[1]));
	CHECK(!driver_is_on());
	return true;
}

/* "the Offset and Scale parameters are ignored" */
static bool offset_and_scale_are_ignored_for_an_array(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(2, 2, counters), { 0 } };

	CHECK_EQUAL(0, start_at(array, -1, 12345, 1));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 1));
	CHECK_EQUAL(0, start_at(&array[1], -1, 0, 0x8000));
	CHECK(!driver_is_on());
	return true;
}

/*
 * Errors
 */

/*
 * "The address specified by the ShortBuffer or ProfBuffer [...] is not valid"
 */
static bool a_bad_address_returns_efault(void)
{
	struct prof *cut = new_before_unreadable(sizeof(*cut));
	void *fixed = new_pages(page_size());

	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	CHECK_EQUAL(EFAULT, count_all_sites(NULL));
	CHECK_EQUAL(EFAULT, count_all_sites((void *)16));
	CHECK_EQUAL(EFAULT, count_all_sites(new_before_unreadable(64)));
	CHECK_EQUAL(EFAULT, count_all_sites(fixed));
	CHECK_EQUAL(EFAULT, count_all_sites((char *)new_counters() + 1));
	CHECK_EQUAL(EFAULT, start_array(NULL));
	CHECK_EQUAL(EFAULT, start_array((void *)8));
	*cut = range_of(2, 2, new_counters());
	CHECK_EQUAL(EFAULT, start_array(cut));
	CHECK(!driver_is_on());
	return true;
}

/* "or the address specified by a p_buff field is not valid" */
static bool a_bad_p_buff_returns_efault(void)
{
	struct prof array[] = { range_of(2, 2, (void *)16), { 0 } };
	struct prof two[] = { range_of(2, 2, NULL),
			      range_of(9, 2, NULL),
			      { 0 } };
	void *end = new_before_unreadable(4);

	CHECK_EQUAL(EFAULT, start_array(array));
	two[0].p_buff = end;
	two[1].p_buff = two[0].p_buff + 2;
	CHECK_EQUAL(EFAULT, start_array(two));
	two[1].p_high = NULL;
	CHECK_EQUAL(0, start_array(two));
	return true;
}

/* "not sufficient resources to pin the profiling buffer in real storage" */
static bool an_unlockable_buffer_returns_efault(void)
{
	struct rlimit none = { 0, 0 };
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(2, 2, counters), { 0 } };

	CHECK_EQUAL(0, setrlimit(RLIMIT_MEMLOCK, &none));
	CHECK_EQUAL(0, setuid(65534));
	CHECK_EQUAL(EFAULT, count_all_sites(counters));
	CHECK_EQUAL(EFAULT, start_array(array));
	return true;
}

/* "The profil subroutine always returns a value of 0." */
static bool success_leaves_errno_unchanged(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(2, 2, counters), { 0 } };

	errno = EDOM;
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, stop_array());
	CHECK_EQUAL(0, stop_buffer());
	CHECK_EQUAL(0, start_array(array));
	CHECK_EQUAL(0, stop_array());
	CHECK_EQUAL(EDOM, errno);
	return true;
}

/*
 * Processes
 */

/* "Profiling remains on in both the child process and the parent process" */
static bool profiling_remains_on_in_parent_and_child(void)
{
	unsigned short *counters = new_counters();
	struct prof array[] = { range_of(2, 2, counters), { 0 } };
	pid_t child;

	CHECK_EQUAL(0, start_array(array));
	child = fork();
	if (!child) {
		/* The same syntax stops profiling in the child. */
		bool good = counts_only_at(3, counters, 2, NR_COUNTERS, 1) &&
			    !stop_buffer() && driver_is_on() && !stop_array() &&
			    !driver_is_on();

		_exit(!good);
	}
	CHECK(exited_with(child, 0));
	CHECK(counts_only_at(2, counters, 2, NR_COUNTERS, 0));
	return true;
}

/* "Profiling is turned off when an exec subroutine is run." */
static bool exec_turns_profiling_off(void)
{
	CHECK_EQUAL(0, count_all_sites(new_counters()));
	CHECK(exec_ends_profile());
	return true;
}

/*
 * Other systems' profil() in the same program
 */

/* profil() of another source file is 4.4BSD's: a start replaces the profile. */
static bool bsd_profil_works_beside_aix_profil(void)
{
	unsigned short *first = new_counters(), *second = new_counters();

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
static bool svr4_profil_works_beside_aix_profil(void)
{
	unsigned short *counters = new_counters();
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

static const struct tap_test tests[] = {
/* clang-format off */
#define TEST(name) { #name, name }
	TEST(the_product_is_rounded_up),
	TEST(scale_ffff_is_a_counter_for_2_bytes),
	TEST(scale_7fff_is_a_counter_for_4_bytes),
	TEST(the_upper_bits_of_scale_are_ignored),
	TEST(scale_2_counts_everything_in_one_counter),
	TEST(scales_0_and_1_turn_profiling_off),
	TEST(a_size_of_0_is_ineffective),
	TEST(a_full_counter_remains_ushrt_max),
	TEST(no_sample_counts_beyond_the_buffer),
	TEST(samples_below_the_offset_do_not_count),
	TEST(a_second_start_has_no_effect),
	TEST(a_profile_without_counters_is_replaced),
	TEST(a_stop_while_off_has_no_effect),
	TEST(the_other_syntax_does_not_stop_a_profile),
	TEST(each_range_has_its_own_counters),
	TEST(p_high_ends_a_range),
	TEST(a_scale_of_minus_1_is_computed),
	TEST(a_computed_scale_covers_the_last_byte),
	TEST(p_scale_has_the_meaning_of_scale),
	TEST(p_high_must_ascend),
	TEST(counters_of_ranges_may_have_gaps_and_any_order),
	TEST(only_p_high_ends_the_array),
	TEST(offset_and_scale_are_ignored_for_an_array),
	TEST(a_bad_address_returns_efault),
	TEST(a_bad_p_buff_returns_efault),
	TEST(an_unlockable_buffer_returns_efault),
	TEST(success_leaves_errno_unchanged),
	TEST(profiling_remains_on_in_parent_and_child),
	TEST(exec_turns_profiling_off),
	TEST(bsd_profil_works_beside_aix_profil),
	TEST(svr4_profil_works_beside_aix_profil),
	/* clang-format on */
};

int main(int argc, char **argv)
{
	int status = exec_child_status(argc, argv);

	if (status)
		return status;
	return tap_run(tests, ARRAY_LENGTH(tests));
}
