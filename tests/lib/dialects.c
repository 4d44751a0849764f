// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil() and sprofil() by the manuals of SVR4, 4.4BSD and IRIX
 *
 * The program is linked with the C library alone and has libprofil.so
 * preloaded. The comment of a test quotes the words of the manual that the test
 * checks. Each test runs in a process of its own, which sets PROFIL_DIALECT.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sys/profil.h>

#include "../selftests/profil/common.h"
#include "expected_counts.h"
#include "process_state.h"
#include "tap.h"

#define NR_COUNTERS 2048

/* NULL for the compiler not to see: glibc declares the buffer nonnull. */
static void *volatile null_address;

/*
 * Set the dialect, before the first call of the library; returns new counters.
 */
static void *select_dialect(const char *dialect)
{
	if (dialect)
		setenv("PROFIL_DIALECT", dialect, 1);
	return new_pages(4 * page_size());
}

static int start_at(void *counters, size_t size, uintptr_t offset,
		    unsigned int scale)
{
	return errno_of(profil(counters, size, offset, scale));
}

static int count_all_sites(void *counters)
{
	return start_at(counters, NR_SITES * 2, (uintptr_t)profil_sites,
			SITE_SCALE(2));
}

static int list(struct prof *profp, int nr, unsigned int flags)
{
	return errno_of(sprofil(profp, nr, NULL, flags));
}

/* Whether site 32, @distance behind the offset, counts as by the scale @used */
static bool counts_at_rule(void *counters, uint64_t distance,
			   unsigned int scale, unsigned int used)
{
	memset(counters, 0, NR_COUNTERS * 2);
	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2,
				site_pc(32) - distance, scale));
	CHECK(counts_only_at(32, counters, 2, NR_COUNTERS,
			     bsd_index(distance, 2, used)));
	return true;
}

/* Whether a call with @scale stops profiling and leaves @counters unchanged */
static bool is_off_at_scale(void *counters, unsigned int scale)
{
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, start_at(counters, 128, 0, scale));
	CHECK(!driver_is_on());
	CHECK(counts_nowhere(3, counters, 2, NR_COUNTERS));
	return true;
}

static bool replaces(void *counters)
{
	unsigned short *second = new_pages(page_size());

	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, count_all_sites(second));
	CHECK(counts_only_at(4, second, 2, NR_COUNTERS, 4));
	CHECK(all_bytes(counters, 0, page_size()));
	return true;
}

/* Whether both the child and the parent are profiled after fork() */
static bool remains_on_after_fork(void *counters)
{
	pid_t child;

	CHECK_EQUAL(0, count_all_sites(counters));
	child = fork();
	if (!child)
		_exit(!counts_only_at(5, counters, 2, NR_COUNTERS, 5));
	CHECK(exited_with(child, 0));
	CHECK(counts_only_at(6, counters, 2, NR_COUNTERS, 6));
	return true;
}

static bool exec_turns_it_off(void *counters)
{
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(exec_ends_profile());
	return true;
}

/* Whether the program survives unmapping its counters */
static bool survives_unmapped_counters(void *counters)
{
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(counts_only_at(5, counters, 2, NR_COUNTERS, 5));
	CHECK_EQUAL(0, munmap(counters, page_size()));
	spin(5, 60 * NSEC_PER_MSEC);
	CHECK_EQUAL(0, start_at(counters, 0, 0, 0));
	return true;
}

static bool refuses_bad_buffers(void)
{
	void *fixed = new_pages(page_size());

	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	CHECK_EQUAL(EFAULT, count_all_sites((void *)16));
	CHECK_EQUAL(EFAULT, count_all_sites(fixed));
	return true;
}

/*
 * SVR4: profil(2)
 */

/* "Once one of the counts reaches 32767 [...] profiling stops" */
static bool svr4_stops_at_32767(void)
{
	unsigned short *counters = select_dialect("svr4");

	counters[5] = SHRT_MAX - 3;
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(counts_only_at(6, counters, 2, NR_COUNTERS, 6));
	CHECK(spin_until(5, counters, 2, SHRT_MAX));
	/* "and no more data is collected" */
	CHECK(counts_nowhere(5, counters, 2, NR_COUNTERS));
	CHECK(counts_nowhere(6, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(SHRT_MAX, counters[5]);
	counters[5] = 0;
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(counts_only_at(6, counters, 2, NR_COUNTERS, 6));
	return true;
}

/* "scale is interpreted as an unsigned 16-bit fixed-point fraction" */
static bool svr4_uses_16_bits_of_scale(void)
{
	void *counters = select_dialect("svr4");

	CHECK(counts_at_rule(counters, 900, 0x18000, 0x8000));
	CHECK(counts_at_rule(counters, 900, 0xfff04321, 0x4321));
	CHECK(is_off_at_scale(counters, 0x20000));
	CHECK(is_off_at_scale(counters, 0x10001));
	return true;
}

/* "0xffff (approximately 1), maps subdivisions 2 bytes long to each counter" */
static bool svr4_scales_map_the_documented_spans(void)
{
	unsigned short *counters = select_dialect("svr4");

	CHECK_EQUAL(499, bsd_index(1000, 2, 0xffff));
	CHECK(counts_at_rule(counters, 1000, 0xffff, 0xffff));
	/* "0x4000, maps subdivisions 8 bytes long to each counter" */
	CHECK_EQUAL(125, bsd_index(1007, 2, 0x4000));
	CHECK(counts_at_rule(counters, 1007, 0x4000, 0x4000));
	CHECK(counts_at_rule(counters, 1008, 0x4000, 0x4000));
	/* "0x0002 (1/32,768), maps subdivision 65,536 bytes long" */
	CHECK(counts_at_rule(counters, 65535, 2, 2));
	CHECK(counts_at_rule(counters, 65536, 2, 2));
	CHECK_EQUAL(1, bsd_index(65536, 2, 2));
	return true;
}

/* "RATIO * 0200000L, where RATIO is [...] bufsiz to profiled region size" */
static bool svr4_scale_is_the_ratio(void)
{
	unsigned short *counters = select_dialect("svr4");
	unsigned int scale = NR_SITES * 2 * 0200000L / SITES_BYTES;

	CHECK_EQUAL(0, start_at(counters, NR_SITES * 2, (uintptr_t)profil_sites,
				scale));
	CHECK(counts_only_at(0, counters, 2, NR_COUNTERS, 0));
	CHECK(counts_only_at(63, counters, 2, NR_COUNTERS, 63));
	return true;
}

/* "where RATIO is the desired ratio [...] and has a value between 0 and 1" */
static bool svr4_scale_ffff_is_a_ratio_of_1(void)
{
	void *counters = select_dialect("svr4");
	double ratio = 1;

	return counts_at_rule(counters, 1000, (unsigned int)(ratio * 0200000L),
			      0x10000);
}

/* "offset is subtracted from the current value of the program counter (pc)" */
static bool svr4_counts_from_the_offset(void)
{
	unsigned short *counters = select_dialect("svr4");

	/* More counters would include code that is executed. */
	CHECK_EQUAL(0, start_at(counters, NR_SITES * 2, (uintptr_t)site(8),
				SITE_SCALE(2)));
	CHECK(counts_nowhere(7, counters, 2, NR_COUNTERS));
	CHECK(counts_only_at(8, counters, 2, NR_COUNTERS, 0));
	return true;
}

/* "Profiling is turned off by giving a scale value of 0 or 1" */
static bool svr4_is_off_by_scales_0_and_1(void)
{
	void *counters = select_dialect("svr4");

	CHECK(is_off_at_scale(counters, 0));
	CHECK(is_off_at_scale(counters, 1));
	return true;
}

/* "and is rendered ineffective by giving a bufsiz value of 0" */
static bool svr4_is_ineffective_with_a_bufsiz_of_0(void)
{
	void *counters = select_dialect("svr4");

	CHECK_EQUAL(0, start_at(counters, 0, (uintptr_t)profil_sites, 0x8000));
	CHECK(counts_nowhere(3, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(0, start_at(counters, 0, 0, 0));
	return true;
}

static bool svr4_start_replaces_the_profile(void)
{
	return replaces(select_dialect("svr4"));
}

/* "remains on in both child and parent processes after a fork(2)" */
static bool svr4_remains_on_after_fork(void)
{
	return remains_on_after_fork(select_dialect("svr4"));
}

/* "turned off when one of the exec family of functions [...] is executed" */
static bool svr4_is_off_after_exec(void)
{
	return exec_turns_it_off(select_dialect("svr4"));
}

/* "turned off if a buff update would cause a memory fault" */
static bool svr4_is_off_after_a_fault(void)
{
	CHECK(survives_unmapped_counters(select_dialect("svr4")));
	CHECK(refuses_bad_buffers());
	return true;
}

/*
 * 4.4BSD: profil(2), by name and by default
 */

/* "[(pc - offset) / 2] * scale / 65536" */
static bool follows_the_formula(const char *dialect)
{
	static const unsigned int scales[] = { 65536,  32768, 16384, 0x1234,
					       0xffff, 3,     2 };
	void *counters = select_dialect(dialect);

	for (size_t i = 0; i < ARRAY_LENGTH(scales); i++) {
		CHECK(counts_at_rule(counters, 0, scales[i], scales[i]));
		CHECK(counts_at_rule(counters, 1003, scales[i], scales[i]));
	}
	return true;
}

static bool bsd_follows_the_formula(void)
{
	return follows_the_formula("bsd");
}

static bool default_follows_the_formula(void)
{
	return follows_the_formula(NULL);
}

/*
 * "A scale of 65536 maps each bin to 2 bytes"; "32768 gives 4", "16384 [...] 8"
 */
static bool bsd_scales_map_the_documented_spans(void)
{
	void *counters = select_dialect("bsd");

	for (unsigned int bytes = 2; bytes <= 8; bytes *= 2) {
		CHECK_EQUAL(100, bsd_index(100 * bytes, 2, 131072 / bytes));
		CHECK(counts_at_rule(counters, 100 * bytes, 131072 / bytes,
				     131072 / bytes));
		CHECK(counts_at_rule(counters, 100 * bytes + bytes - 1,
				     131072 / bytes, 131072 / bytes));
	}
	return true;
}

/* LTP's profil01 has a scale above the manual's 65536. */
static bool bsd_takes_scales_above_65536(void)
{
	void *counters = select_dialect("bsd");
	/* The loop has an instruction 3 bytes before it, and one 2 behind it. */
	uint64_t first = bsd_index(900 - 3, 2, 0x20000);
	uint64_t index = bsd_index(900, 2, 0x20000);
	uint64_t last = bsd_index(900 + 2, 2, 0x20000);

	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, site_pc(32) - 900,
				0x20000));
	CHECK(counts_between(32, counters, 2, NR_COUNTERS, first, index, last));
	return true;
}

/* "the lowest address at which the kernel takes program counter samples" */
static bool bsd_counts_from_the_offset(void)
{
	void *counters = select_dialect("bsd");

	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, site_pc(32) + 1,
				65536));
	CHECK(counts_nowhere(32, counters, 2, NR_COUNTERS));
	return counts_at_rule(counters, 0, 65536, 65536);
}

/* "is divided into a series of 16-bit bins"; a full one stays full. */
static bool bsd_bins_have_16_bits_and_stay_full(void)
{
	unsigned short *counters = select_dialect("bsd");

	counters[5] = SHRT_MAX;
	counters[7] = USHRT_MAX - 1;
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(counts_only_at(5, counters, 2, NR_COUNTERS, 5));
	CHECK(spin_until(7, counters, 2, USHRT_MAX));
	CHECK(counts_nowhere(7, counters, 2, NR_COUNTERS));
	return true;
}

/* "A scale value of 0 disables profiling." */
static bool bsd_is_off_by_scale_0(void)
{
	void *counters = select_dialect("bsd");

	CHECK(is_off_at_scale(counters, 0));
	/*
	 * "If the scale value is nonzero": with scale 0 no address is illegal.
	 */
	CHECK_EQUAL(0, start_at((void *)16, 128, 0, 0));
	CHECK_EQUAL(0, start_at(null_address, 128, 0, 0));
	CHECK_EQUAL(0, start_at(null_address, 0, 0, 65536));
	return true;
}

/*
 * "The scale parameter ranges from 1 to 65536": scale 1 has 128 KiB in a bin. An armhf
 * program may have a lower address than the last distance.
 */
static bool bsd_scale_1_maps_128_kib(void)
{
	static const uint64_t distances[] = { 0,      65535,  65536,	131071,
					      131072, 400000, 0x3000000 };
	void *counters = select_dialect("bsd");

	for (size_t i = 0; i < ARRAY_LENGTH(distances); i++)
		if (distances[i] <= site_pc(32))
			CHECK(counts_at_rule(counters, distances[i], 1, 1));
	CHECK_EQUAL(0, start_at(counters, 4, site_pc(32) - 262144, 1));
	CHECK(counts_nowhere(32, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(0, start_at(counters, 4, site_pc(32) + 1, 1));
	CHECK(counts_nowhere(32, counters, 2, NR_COUNTERS));
	CHECK_EQUAL(0, start_at(counters, 0, 0, 1));
	CHECK(!driver_is_on());
	return true;
}

/* "contains an illegal address, profil returns -1, profiling is terminated" */
static bool bsd_bad_buffer_stops_profiling(void)
{
	void *counters = select_dialect("bsd");

	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK(refuses_bad_buffers());
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(EFAULT, count_all_sites(null_address));
	CHECK(!driver_is_on());
	/* "char *samples", which may be odd */
	CHECK_EQUAL(EFAULT, count_all_sites((char *)counters + 1));
	return true;
}

/* Bad buffers, with the scale that the library implements separately */
static bool bsd_scale_1_checks_the_buffer(void)
{
	char *counters = select_dialect("bsd");
	size_t size = 4 * page_size();

	CHECK_EQUAL(0, start_at(counters, size, 0, 1));
	CHECK(driver_is_on());
	CHECK_EQUAL(EFAULT, start_at(null_address, 64, 0, 1));
	CHECK(!driver_is_on());
	CHECK_EQUAL(EFAULT, start_at((void *)16, 64, 0, 1));
	CHECK_EQUAL(EFAULT, start_at(counters + 1, 64, 0, 1));
	CHECK_EQUAL(0, mprotect(counters + 3 * page_size(), page_size(),
				PROT_READ));
	CHECK_EQUAL(EFAULT, start_at(counters, size, 0, 1));
	return true;
}

static bool bsd_start_replaces_the_profile(void)
{
	return replaces(select_dialect("bsd"));
}

/* Of 4BSD: "remains on in child and parent both", "off when an exec[ve]" */
static bool bsd_survives_fork_but_not_exec(void)
{
	CHECK(remains_on_after_fork(select_dialect("bsd")));
	return exec_turns_it_off(new_pages(page_size()));
}

/* "Profiling is turned off if an update in buff would cause a memory fault" */
static bool bsd_survives_unmapped_counters(void)
{
	return survives_unmapped_counters(select_dialect("bsd"));
}

/*
 * IRIX: sprofil(2), strict by PROFIL_DIALECT=irix, or by the flag PROF_STRICT
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

static struct prof bin(void *counter, unsigned int width)
{
	return (struct prof){ counter, width, 0, 2 };
}

/* "profcnt was less than or equal to 0, or greater than PROFIL_MAX" */
static bool checks_profcnt(void *counters, unsigned int flags)
{
	struct prof one = sites(counters, 0, NR_SITES, 2);

	CHECK_EQUAL(E2BIG, list(&one, 0, flags));
	CHECK_EQUAL(E2BIG, list(NULL, 0, flags));
	CHECK_EQUAL(E2BIG, list(&one, -1, flags));
	CHECK_EQUAL(E2BIG, list(&one, PROFIL_MAX + 1, flags));
	CHECK_EQUAL(0, list(&one, 1, flags));
	return true;
}

static bool irix_checks_profcnt(void)
{
	return checks_profcnt(select_dialect("irix"), 0);
}

static bool strict_checks_profcnt(void)
{
	return checks_profcnt(select_dialect(NULL), PROF_STRICT);
}

/* "such an overflow bin should always be last", or else EINVAL */
static bool requires_the_bin_last(unsigned int *counters, unsigned int flags)
{
	struct prof some[] = {
		sites(&counters[0], 1, 1, 4),
		sites(&counters[1], 2, 1, 4),
		bin(&counters[2], 4),
	};
	struct prof last = some[2];

	CHECK_EQUAL(0, list(some, 3, PROF_UINT | flags));
	some[2] = some[0];
	some[0] = last;
	CHECK_EQUAL(EINVAL, list(some, 3, PROF_UINT | flags));
	CHECK(!driver_is_on());
	some[0] = some[1];
	some[1] = last;
	CHECK_EQUAL(EINVAL, list(some, 3, PROF_UINT | flags));
	CHECK_EQUAL(0, list(some, 2, PROF_UINT | flags));
	return true;
}

static bool irix_requires_the_bin_last(void)
{
	return requires_the_bin_last(select_dialect("irix"), 0);
}

static bool strict_requires_the_bin_last(void)
{
	return requires_the_bin_last(select_dialect(NULL), PROF_STRICT);
}

/* "flags does not contain one of the values (PROF_USHORT or PROF_UINT)" */
static bool checks_flags(void *counters, unsigned int strict)
{
	struct prof one = sites(counters, 0, NR_SITES, 4);

	CHECK_EQUAL(EINVAL, list(&one, 1, PROF_UINT64 | strict));
	CHECK_EQUAL(EINVAL, list(&one, 1, 32 | strict));
	CHECK_EQUAL(0, list(&one, 1, PROF_USHORT | strict));
	CHECK_EQUAL(0, list(&one, 1, PROF_UINT | strict));
	CHECK_EQUAL(0, list(&one, 1, PROF_UINT | PROF_FAST | strict));
	return true;
}

static bool irix_checks_flags(void)
{
	return checks_flags(select_dialect("irix"), 0);
}

static bool strict_checks_flags(void)
{
	return checks_flags(select_dialect(NULL), PROF_STRICT);
}

/* "Either profp or tvp points to an illegal address." */
static bool irix_checks_addresses(void)
{
	struct prof one = sites(select_dialect("irix"), 0, NR_SITES, 4);

	CHECK_EQUAL(EFAULT, list((void *)8, 1, PROF_UINT));
	CHECK_EQUAL(EFAULT, list(NULL, 1, PROF_UINT));
	CHECK_EQUAL(EFAULT, errno_of(sprofil(&one, 1, (void *)8, PROF_UINT)));
	return true;
}

/*
 * "turned off for the specified region of text space if a pr_base update would
 * cause a memory fault": the call succeeds, and the other regions count.
 */
static bool disables_regions_with_bad_bases(char *counters, unsigned int flags)
{
	unsigned int *last = (unsigned int *)(counters + 2 * page_size());
	char *fixed = counters + page_size();
	struct prof some[] = {
		sites((void *)16, 4, 4, 4),
		sites(fixed, 8, 4, 4),
		sites(counters + 1, 12, 4, 4),
		sites(counters, 32, 4, 4),
		bin(last, 4),
	};

	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	CHECK_EQUAL(0, list(some, 5, PROF_UINT | flags));
	CHECK(counts_only_at(33, counters, 4, NR_COUNTERS / 2, 1));
	for (unsigned int nr = 4; nr < 16; nr += 4)
		CHECK(spin_until_at(nr, last, 4, *last + 3));
	some[4].pr_base = (void *)16;
	CHECK_EQUAL(0, list(some, 5, PROF_UINT | flags));
	CHECK(counts_only_at(34, counters, 4, NR_COUNTERS / 2, 2));
	/* The order of the regions is checked nevertheless. */
	some[0] = some[4];
	CHECK_EQUAL(EINVAL, list(some, 4, PROF_UINT | flags));
	CHECK_EQUAL(0, list(some, 1, PROF_UINT | flags));
	return true;
}

static bool irix_disables_regions_with_bad_bases(void)
{
	return disables_regions_with_bad_bases(select_dialect("irix"), 0);
}

static bool strict_disables_regions_with_bad_bases(void)
{
	return disables_regions_with_bad_bases(select_dialect(NULL),
					       PROF_STRICT);
}

/*
 * "the first counter of the specified pr_base", with the size of 1 that PAPI
 * gives
 */
static bool takes_a_one_byte_overflow_bin(unsigned short *counters,
					  unsigned int flags)
{
	struct prof some[] = {
		sites(&counters[0], 8, 2, 2),
		{ &counters[100], 1, 0, 2 },
	};

	CHECK_EQUAL(0, list(some, 2, PROF_USHORT | flags));
	CHECK(counts_only_at(40, counters, 2, NR_COUNTERS, 100));
	/* "rendered ineffective by giving a bufsiz of 0" */
	some[1].pr_size = 0;
	CHECK_EQUAL(0, list(some, 2, PROF_USHORT | flags));
	CHECK(counts_nowhere(40, counters, 2, NR_COUNTERS));
	return true;
}

static bool irix_takes_a_one_byte_overflow_bin(void)
{
	return takes_a_one_byte_overflow_bin(select_dialect("irix"), 0);
}

static bool strict_takes_a_one_byte_overflow_bin(void)
{
	return takes_a_one_byte_overflow_bin(select_dialect(NULL), PROF_STRICT);
}

/* A region too small for a counter has none. */
static bool default_ignores_a_one_byte_bin(void)
{
	unsigned short *counters = select_dialect(NULL);
	struct prof one = { counters, 1, 0, 2 };

	CHECK_EQUAL(0, list(&one, 1, PROF_USHORT));
	CHECK(counts_nowhere(40, counters, 2, NR_COUNTERS));
	return true;
}

/* "disabled using the restrict_fastprof tuneable system parameter" */
static bool irix_obeys_restrict_fastprof(void)
{
	struct prof one = sites(select_dialect("irix"), 0, NR_SITES, 4);
	int restricted;

	CHECK_EQUAL(0, param_write("restrict_fastprof", "1"));
	restricted = list(&one, 1, PROF_UINT | PROF_FAST);
	CHECK_EQUAL(0, param_write("restrict_fastprof", "0"));
	CHECK_EQUAL(EACCES, restricted);
	CHECK_EQUAL(0, list(&one, 1, PROF_UINT | PROF_FAST));
	return true;
}

/* "samples once every millisecond"; "the time value [...] to one clock tick" */
static bool irix_returns_the_period(void)
{
	struct prof one = sites(select_dialect("irix"), 0, NR_SITES, 4);
	struct timeval tv = { -1, -1 };
	int fd = device_open();
	long tick_us = (long)(tick_ns(fd) / 1000);

	close(fd);
	CHECK_EQUAL(0, errno_of(sprofil(&one, 1, &tv, PROF_UINT | PROF_FAST)));
	CHECK_EQUAL(1000, tv.tv_sec * 1000000 + tv.tv_usec);
	CHECK_EQUAL(0, errno_of(sprofil(&one, 1, &tv, PROF_UINT)));
	CHECK_EQUAL(tick_us, tv.tv_sec * 1000000 + tv.tv_usec);
	return true;
}

/*
 * "1-1 mapping of instructions to counters for PROF_USHORT and a pr_scale of
 * 0x8000, or PROF_UINT and a pr_scale of 0x10000", for instructions of 4 bytes
 */
static bool irix_maps_one_instruction_to_a_counter(void)
{
	void *counters = select_dialect("irix");
	struct prof one = sites(counters, 0, NR_COUNTERS, 2);

	one.pr_off = site_pc(32) - 4 * 100 - 3;
	one.pr_scale = 0x8000;
	CHECK_EQUAL(0, list(&one, 1, PROF_USHORT));
	CHECK(counts_only_at(32, counters, 2, NR_COUNTERS, 100));
	memset(counters, 0, page_size());
	one.pr_size = NR_COUNTERS * 4;
	one.pr_scale = 0x10000;
	CHECK_EQUAL(0, list(&one, 1, PROF_UINT));
	CHECK(counts_only_at(32, counters, 4, NR_COUNTERS, 100));
	return true;
}

/* "the largest offset less than the value of the program counter" */
static bool irix_prefers_the_largest_offset(void)
{
	unsigned int *counters = select_dialect("irix");
	struct prof some[] = {
		sites(&counters[100], 8, 8, 4),
		sites(&counters[0], 0, NR_SITES, 4),
		sites(&counters[200], 8, 8, 4),
	};

	CHECK_EQUAL(0, list(some, 3, PROF_UINT));
	/*
	 * "If more than one [...] has the same offset, the first one is
	 * chosen"
	 */
	CHECK(counts_only_at(10, counters, 4, NR_COUNTERS, 102));
	CHECK(counts_only_at(20, counters, 4, NR_COUNTERS, 20));
	CHECK(counts_only_at(7, counters, 4, NR_COUNTERS, 7));
	return true;
}

/* "will act as an overflow bin. Any PC value not previously matched" */
static bool irix_has_an_overflow_bin(void)
{
	unsigned int *counters = select_dialect("irix");
	struct prof some[] = {
		sites(&counters[0], 8, 2, 4),
		bin(&counters[100], 4),
	};

	CHECK_EQUAL(0, list(some, 2, PROF_UINT));
	CHECK(spin_until_at(1, &counters[100], 4, 3));
	CHECK(spin_until_at(63, &counters[100], 4, counters[100] + 3));
	CHECK(spin_until_at(9, &counters[1], 4, 3));
	/* The bin counts the sum of the counters, too, until it is stopped. */
	CHECK_EQUAL(0, start_at(counters, 0, 0, 0));
	CHECK_EQUAL(counters[1] + counters[100] + counters[0],
		    counters_sum(counters, 4, NR_COUNTERS));
	return true;
}

/* "not enabled for a given text region if the value for pr_scale is 0 or 1" */
static bool irix_scale_0_or_1_disables_a_region(void)
{
	unsigned int *counters = select_dialect("irix");
	struct prof some[] = {
		sites(&counters[100], 4, 4, 4),
		sites(&counters[200], 4, 4, 4),
		sites(&counters[300], 4, 4, 4),
		sites(&counters[0], 0, NR_SITES, 4),
	};

	some[0].pr_scale = 0;
	some[1].pr_scale = 1;
	/* "and is rendered ineffective by giving a bufsiz of 0" */
	some[2].pr_size = 0;
	CHECK_EQUAL(0, list(some, 4, PROF_UINT));
	CHECK(counts_only_at(5, counters, 4, NR_COUNTERS, 5));
	return true;
}

/* "Each call to sprofil will disable any profiling enabled by previous" */
static bool irix_call_replaces_the_profile(void)
{
	unsigned int *counters = select_dialect("irix");
	struct prof one = sites(&counters[0], 0, NR_SITES, 4);
	struct prof other = sites(&counters[100], 0, NR_SITES, 4);

	CHECK_EQUAL(0, list(&one, 1, PROF_UINT));
	CHECK_EQUAL(0, list(&other, 1, PROF_UINT));
	CHECK(counts_only_at(5, counters, 4, NR_COUNTERS, 105));
	return true;
}

/*
 * "turned off for the specified region [...] if a pr_base update would" fault
 */
static bool irix_fault_disables_one_region(void)
{
	char *counters = select_dialect("irix");
	char *rest = counters + page_size();
	struct prof some[] = {
		sites(counters, 4, 1, 4),
		sites(rest, 0, NR_SITES, 4),
	};

	CHECK_EQUAL(0, list(some, 2, PROF_UINT));
	CHECK_EQUAL(0, munmap(counters, page_size()));
	spin(4, 60 * NSEC_PER_MSEC);
	CHECK(counts_only_at(5, rest, 4, NR_COUNTERS / 2, 5));
	return true;
}

/* "remains on in both child and parent processes after a fork(2)", not exec */
static bool irix_survives_fork_but_not_exec(void)
{
	CHECK(remains_on_after_fork(select_dialect("irix")));
	return exec_turns_it_off(new_pages(page_size()));
}

/* "A call to profil(2) has the same effect as calling sprofil with just one" */
static bool irix_profil_is_sprofil_with_one_region(void)
{
	unsigned short *counters = select_dialect("irix");

	CHECK(counts_at_rule(counters, 1003, 0x18000, 0x18000));
	memset(counters, 0, page_size());
	CHECK_EQUAL(0, start_at(counters, 8, 0, 2));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 0));
	CHECK(is_off_at_scale(new_pages(page_size()), 1));
	CHECK_EQUAL(0, count_all_sites(counters));
	CHECK_EQUAL(0, count_all_sites((void *)16));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_all_sites((char *)counters + 1));
	CHECK(!driver_is_on());
	memset(counters, 0, page_size());
	CHECK_EQUAL(0, start_at(counters, 1, 0, 2));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 0));
	return true;
}

/*
 * AIX: profil() of a program compiled without AIX's header; see also aix.c
 */

struct aix_prof {
	char *low;
	char *high;
	void *counters;
	int size;
	unsigned int scale;
};

static bool aix_profil_has_both_syntaxes(void)
{
	unsigned short *counters = select_dialect("aix");
	struct aix_prof array[] = {
		{ (char *)site(2), (char *)site(4), counters, 4,
		  SITE_SCALE(2) },
		{ 0 },
	};

	CHECK_EQUAL(0, start_at(array, -1, 0, 0));
	CHECK(counts_only_at(3, counters, 2, NR_COUNTERS, 1));
	CHECK_EQUAL(0, start_at(counters, 0, 0, 0));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, start_at(&array[1], UINT_MAX, 0, 0));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, site_pc(32) - 1001,
				0xffff));
	memset(counters, 0, page_size());
	CHECK(counts_only_at(32, counters, 2, NR_COUNTERS,
			     aix_index(1001, 0xffff)));
	return true;
}

/*
 * The environment
 */

/* Whether two calls with @dialect print @said and follow the rules of 4.4BSD */
static bool prints_in_two_calls(const char *dialect, const char *said)
{
	void *counters = select_dialect(dialect);
	char text[256] = "";
	int saved = dup(STDERR_FILENO), file = memfd_create("stderr", 0);

	dup2(file, STDERR_FILENO);
	CHECK_EQUAL(0, start_at(counters, NR_COUNTERS * 2, site_pc(32) - 900,
				0x18000));
	CHECK_EQUAL(0, count_all_sites(counters));
	dup2(saved, STDERR_FILENO);
	CHECK(pread(file, text, sizeof(text) - 1, 0) >= 0);
	if (strcmp(text, said)) {
		printf("# printed: %s", text);
		return false;
	}
	return counts_at_rule(counters, 900, 0x18000, 0x18000);
}

static bool an_unknown_dialect_is_reported_once(void)
{
	static const char sentence[] =
		"libprofil: PROFIL_DIALECT is unknown: set it to aix, svr4, bsd or irix\n";

	return prints_in_two_calls("ultrix", sentence);
}

static bool an_empty_dialect_is_the_default(void)
{
	return prints_in_two_calls("", "");
}

static bool default_takes_an_overflow_bin_anywhere(void)
{
	unsigned int *counters = select_dialect("bsd");
	struct prof some[] = { bin(&counters[0], 4),
			       sites(&counters[1], 2, 1, 4) };

	CHECK_EQUAL(0, list(some, 2, PROF_UINT));
	CHECK_EQUAL(0, list(NULL, 0, 0));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, list(some, 2, PROF_UINT64));
	return true;
}

static const struct tap_test tests[] = {
/* clang-format off */
#define TEST(name) { #name, name }
	TEST(svr4_stops_at_32767),
	TEST(svr4_uses_16_bits_of_scale),
	TEST(svr4_scales_map_the_documented_spans),
	TEST(svr4_scale_is_the_ratio),
	TEST(svr4_scale_ffff_is_a_ratio_of_1),
	TEST(svr4_counts_from_the_offset),
	TEST(svr4_is_off_by_scales_0_and_1),
	TEST(svr4_is_ineffective_with_a_bufsiz_of_0),
	TEST(svr4_start_replaces_the_profile),
	TEST(svr4_remains_on_after_fork),
	TEST(svr4_is_off_after_exec),
	TEST(svr4_is_off_after_a_fault),
	TEST(bsd_follows_the_formula),
	TEST(default_follows_the_formula),
	TEST(bsd_scales_map_the_documented_spans),
	TEST(bsd_takes_scales_above_65536),
	TEST(bsd_counts_from_the_offset),
	TEST(bsd_bins_have_16_bits_and_stay_full),
	TEST(bsd_is_off_by_scale_0),
	TEST(bsd_scale_1_maps_128_kib),
	TEST(bsd_bad_buffer_stops_profiling),
	TEST(bsd_scale_1_checks_the_buffer),
	TEST(bsd_start_replaces_the_profile),
	TEST(bsd_survives_fork_but_not_exec),
	TEST(bsd_survives_unmapped_counters),
	TEST(irix_checks_profcnt),
	TEST(strict_checks_profcnt),
	TEST(irix_requires_the_bin_last),
	TEST(strict_requires_the_bin_last),
	TEST(irix_checks_flags),
	TEST(strict_checks_flags),
	TEST(irix_checks_addresses),
	TEST(irix_disables_regions_with_bad_bases),
	TEST(strict_disables_regions_with_bad_bases),
	TEST(irix_takes_a_one_byte_overflow_bin),
	TEST(strict_takes_a_one_byte_overflow_bin),
	TEST(default_ignores_a_one_byte_bin),
	TEST(irix_obeys_restrict_fastprof),
	TEST(irix_returns_the_period),
	TEST(irix_maps_one_instruction_to_a_counter),
	TEST(irix_prefers_the_largest_offset),
	TEST(irix_has_an_overflow_bin),
	TEST(irix_scale_0_or_1_disables_a_region),
	TEST(irix_call_replaces_the_profile),
	TEST(irix_fault_disables_one_region),
	TEST(irix_survives_fork_but_not_exec),
	TEST(irix_profil_is_sprofil_with_one_region),
	TEST(aix_profil_has_both_syntaxes),
	TEST(an_unknown_dialect_is_reported_once),
	TEST(an_empty_dialect_is_the_default),
	TEST(default_takes_an_overflow_bin_anywhere),
	/* clang-format on */
};

int main(int argc, char **argv)
{
	int status = exec_child_status(argc, argv);

	if (status)
		return status;
	return tap_run(tests, ARRAY_LENGTH(tests));
}
