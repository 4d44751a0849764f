// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil() and sprofil() with the driver loaded
 *
 * The program is built with the C library alone, for libprofil.so to be
 * preloaded; with libprofil.so; and static, with libprofil.a.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sys/profil.h>

#include "../selftests/profil/common.h"
#include "expected_counts.h"
#include "process_state.h"
#include "tap.h"

/* Several ticks */
#define LONG_NS (100 * NSEC_PER_MSEC)
#define SHORT_NS (60 * NSEC_PER_MSEC)
#define FAST_PERIOD_NS NSEC_PER_MSEC

static __u64 tick(void)
{
	int fd = device_open();
	__u64 ns = tick_ns(fd);

	close(fd);
	return ns;
}

static int count_sites(void *counters)
{
	return errno_of(profil(counters, NR_SITES * 2, (uintptr_t)profil_sites,
			       SITE_SCALE(2)));
}

/* NULL for the compiler not to see: glibc declares the buffer nonnull. */
static unsigned short *volatile null_buffer;

static int stop_all(void)
{
	return errno_of(profil(null_buffer, 0, 0, 0));
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

static struct prof bin(void *counter, unsigned int width)
{
	return (struct prof){
		.pr_base = counter,
		.pr_size = width,
		.pr_off = 0,
		.pr_scale = 2,
	};
}

/*
 * Spin at site @nr, and compare its counter, @index, with the samples due: all
 * of them on a machine that counts instructions, and at least one elsewhere.
 * spin() also reads the clock of the thread, which is outside the site. The
 * allowance for samples there is a twenty-fifth, and two samples.
 */
static bool counts(unsigned int nr, const void *counters, unsigned int width,
		   size_t index, __u64 period_ns)
{
	const char *at = (const char *)counters + index * width;
	__u64 before = counter(at, width, 0), used = thread_ns(), due;

	if (!machine_counts())
		return spin_until_at(nr, at, width, before + 1);
	spin(nr, LONG_NS);
	used = thread_ns() - used;
	due = used / period_ns;
	CHECK_BETWEEN(due - due / 25 - 2, counter(at, width, 0) - before,
		      due + 2);
	return true;
}

/*
 * profil()
 */

static bool profil_samples_at_each_tick(void)
{
	unsigned short *counters = new_pages(page_size());

	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(tick(), driver_period_ns());
	CHECK(counts(5, counters, 2, 5, tick()));
	CHECK_EQUAL(counters[5], counters_sum(counters, 2, NR_SITES));
	return true;
}

static bool profil_writes_only_its_buffer(void)
{
	unsigned short *counters = new_pages(page_size());

	/* The last byte of an odd size is no counter. */
	CHECK_EQUAL(0, errno_of(profil(counters, 9, (uintptr_t)profil_sites,
				       SITE_SCALE(2))));
	CHECK(counts(3, counters, 2, 3, tick()));
	spin(4, SHORT_NS);
	spin(63, SHORT_NS);
	CHECK(all_bytes(&counters[4], 0, page_size() - 8));
	return true;
}

static bool profil_stops_by_each_documented_call(void)
{
	unsigned short *counters = new_pages(page_size());
	uintptr_t text = (uintptr_t)profil_sites;

	CHECK_EQUAL(0, count_sites(counters));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, errno_of(profil(counters, 128, text, 0)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, errno_of(profil(counters, 128, text, 1)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, errno_of(profil(counters, 0, text, SITE_SCALE(2))));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, errno_of(profil(null_buffer, 128, text, SITE_SCALE(2))));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, stop_all());
	return true;
}

static bool counters_do_not_change_after_stop(void)
{
	unsigned short *counters = new_pages(page_size());
	unsigned short last;

	CHECK_EQUAL(0, count_sites(counters));
	CHECK(spin_until(7, counters, 2, 3));
	CHECK_EQUAL(0, stop_all());
	last = counters[7];
	spin(7, SHORT_NS);
	CHECK_EQUAL(last, counters[7]);
	return true;
}

static bool start_replaces_the_profile(void)
{
	unsigned short *first = new_pages(page_size());
	unsigned short *second = new_pages(page_size());
	unsigned short last;

	CHECK_EQUAL(0, count_sites(first));
	CHECK(spin_until(7, first, 2, 3));
	CHECK_EQUAL(0, count_sites(second));
	last = first[7];
	CHECK(spin_until(7, second, 2, 3));
	CHECK_EQUAL(last, first[7]);
	return true;
}

static bool profil_has_no_overflow_bin(void)
{
	unsigned short *counters = new_pages(page_size());

	/*
	 * One counter for the 64 KiB from address 0, which the sites are
	 * beyond
	 */
	CHECK_EQUAL(0, errno_of(profil(counters, 2, 0, 2)));
	CHECK(driver_is_on());
	spin(1, SHORT_NS);
	CHECK_EQUAL(0, counters[0]);
	CHECK_EQUAL(0,
		    errno_of(profil(counters, 2, (uintptr_t)profil_sites, 2)));
	CHECK(counts(1, counters, 2, 0, tick()));
	return true;
}

static bool profil_returns_efault_for_a_bad_buffer(void)
{
	char *pages = new_pages(page_size());
	void *fixed = new_pages(page_size());

	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	CHECK_EQUAL(EFAULT, count_sites((void *)16));
	CHECK_EQUAL(EFAULT, count_sites((char *)new_at_hole(64)));
	CHECK_EQUAL(EFAULT, count_sites(fixed));
	CHECK_EQUAL(EINVAL, count_sites(pages + 1));
	return true;
}

/*
 * sprofil()
 */

static bool sprofil_checks_errors_in_the_documented_order(void)
{
	void *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 2);
	struct prof *cut = new_at_hole(sizeof(*cut));

	CHECK_EQUAL(E2BIG, list(NULL, -1, ~0U));
	CHECK_EQUAL(E2BIG, list(&one, INT_MIN, 0));
	CHECK_EQUAL(E2BIG, list(&one, PROFIL_MAX + 1, 0));
	CHECK_EQUAL(EINVAL, list(NULL, 1, 16));
	CHECK_EQUAL(EINVAL, list(&one, 1, PROF_UINT | PROF_UINT64));
	CHECK_EQUAL(EFAULT, list(NULL, 1, 0));
	CHECK_EQUAL(EFAULT, list((void *)8, PROFIL_MAX, 0));
	*cut = one;
	CHECK_EQUAL(0, list(cut, 1, 0));
	/* 0 in a 32-bit program, where no scale is too large */
	cut->pr_scale = (unsigned long)(1ULL << 32);
	CHECK_EQUAL(EFAULT, list(cut, 2, 0));
	CHECK_EQUAL(cut->pr_scale ? EINVAL : 0, list(cut, 1, 0));
	one.pr_base = (char *)counters + 2;
	CHECK_EQUAL(0, list(&one, 1, PROF_USHORT));
	CHECK_EQUAL(EINVAL, list(&one, 1, PROF_UINT));
	one.pr_base = (void *)64;
	CHECK_EQUAL(EFAULT, list(&one, 1, PROF_UINT));
	return true;
}

static bool sprofil_returns_eacces_while_prof_fast_is_restricted(void)
{
	void *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 2);
	int restricted, usual;

	CHECK_EQUAL(0, param_write("restrict_fastprof", "1"));
	usual = list(&one, 1, PROF_USHORT);
	one.pr_base = (char *)counters + 1;
	restricted = list(&one, 1, PROF_FAST);
	CHECK_EQUAL(0, param_write("restrict_fastprof", "0"));
	CHECK_EQUAL(0, usual);
	CHECK_EQUAL(EACCES, restricted);
	CHECK_EQUAL(EINVAL, list(&one, 1, PROF_FAST));
	return true;
}

static bool a_bad_tvp_returns_efault_and_stops(void)
{
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);
	void *fixed = new_pages(page_size());

	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	CHECK_EQUAL(EFAULT, errno_of(sprofil(&one, 1, (void *)8, 0)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(EFAULT, errno_of(sprofil(&one, 1, fixed, 0)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(EFAULT, errno_of(sprofil(NULL, 0, (void *)8, 0)));
	return true;
}

static bool a_failed_start_leaves_no_profile(void)
{
	void *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 2);

	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(EFAULT, count_sites((void *)16));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, list(&one, 1, 0));
	CHECK(driver_is_on());
	CHECK_EQUAL(EINVAL, list(&one, 1, 16));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, list(&one, 1, 0));
	CHECK_EQUAL(E2BIG, list(&one, -1, 0));
	CHECK(!driver_is_on());
	return true;
}

static bool tvp_gets_the_sampling_period(void)
{
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);
	long tick_us = (long)(tick() / 1000);
	struct timeval tv = { -1, -1 };

	CHECK_EQUAL(0, errno_of(sprofil(&one, 1, &tv, PROF_USHORT)));
	CHECK_EQUAL(tick_us, tv.tv_sec * 1000000 + tv.tv_usec);
	CHECK_EQUAL(0, errno_of(sprofil(&one, 1, &tv, PROF_FAST)));
	CHECK_EQUAL(1000, tv.tv_sec * 1000000 + tv.tv_usec);
	CHECK_EQUAL(0, errno_of(sprofil(NULL, 0, &tv, 0)));
	CHECK_EQUAL(tick_us, tv.tv_sec * 1000000 + tv.tv_usec);
	return true;
}

static bool a_count_of_0_stops(void)
{
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);

	CHECK_EQUAL(0, list(&one, 1, 0));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, list(NULL, 0, 0));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, list(&one, 1, 0));
	CHECK_EQUAL(0, list(&one, 0, 0));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, list(NULL, 0, 0));
	return true;
}

static bool flags_select_the_counters_width(void)
{
	static const struct {
		unsigned int flag;
		unsigned int width;
	} kinds[] = { { PROF_USHORT, 2 },
		      { PROF_UINT, 4 },
		      { PROF_UINT64, 8 } };

	for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++) {
		unsigned int width = kinds[i].width;
		void *counters = new_pages(page_size());
		struct prof one = sites(counters, 0, NR_SITES, width);

		CHECK_EQUAL(0, list(&one, 1, kinds[i].flag));
		CHECK(counts(9, counters, width, 9, tick()));
		CHECK_EQUAL(counter(counters, width, 9),
			    counters_sum(counters, width, NR_SITES));
	}
	return true;
}

static bool prof_fast_samples_each_millisecond(void)
{
	unsigned int *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 4);

	CHECK_EQUAL(0, list(&one, 1, PROF_UINT | PROF_FAST));
	CHECK_EQUAL(FAST_PERIOD_NS, driver_period_ns());
	CHECK(counts(2, counters, 4, 2, FAST_PERIOD_NS));
	return true;
}

/* @place: index of the overflow bin in a list of three */
static bool bin_gets_the_rest(int place)
{
	unsigned int *counters = new_pages(page_size());
	struct prof some[3] = {
		sites(&counters[0], 1, 1, 4),
		sites(&counters[1], 2, 1, 4),
		sites(&counters[1], 2, 1, 4),
	};
	unsigned int taken;

	some[2] = some[place];
	some[place] = bin(&counters[2], 4);
	CHECK_EQUAL(0, list(some, 3, PROF_UINT | PROF_FAST));
	CHECK(counts(1, counters, 4, 0, FAST_PERIOD_NS));
	CHECK(counts(2, counters, 4, 1, FAST_PERIOD_NS));
	taken = counters[0] + counters[1];
	CHECK(counts(40, counters, 4, 2, FAST_PERIOD_NS));
	CHECK_EQUAL(taken, counters[0] + counters[1]);
	return true;
}

static bool the_overflow_bin_may_have_any_index(void)
{
	for (int place = 0; place < 3; place++)
		CHECK(bin_gets_the_rest(place));
	return true;
}

static bool the_region_with_the_largest_offset_counts(void)
{
	unsigned int *counters = new_pages(page_size());
	struct prof some[] = {
		sites(&counters[100], 8, 8, 4),
		sites(&counters[0], 0, NR_SITES, 4),
		sites(&counters[200], 8, 8, 4),
	};

	CHECK_EQUAL(0, list(some, 3, PROF_UINT | PROF_FAST));
	CHECK(counts(10, counters, 4, 102, FAST_PERIOD_NS));
	CHECK(counts(20, counters, 4, 20, FAST_PERIOD_NS));
	CHECK_EQUAL(0, counters[10] + counters[202]);
	return true;
}

static bool a_disabled_region_leaves_the_others_enabled(void)
{
	unsigned int *counters = new_pages(page_size());
	struct prof some[] = {
		sites((void *)16, 4, 1, 4),
		sites(&counters[0], 0, NR_SITES, 4),
		sites((void *)16, 4, 0, 4),
	};

	some[0].pr_scale = 1;
	CHECK_EQUAL(0, list(some, 3, PROF_UINT | PROF_FAST));
	CHECK(counts(4, counters, 4, 4, FAST_PERIOD_NS));
	return true;
}

static bool sprofil_takes_profil_max_regions(void)
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
	CHECK_EQUAL(0, list(many, PROFIL_MAX, PROF_UINT | PROF_FAST));
	CHECK(counts(30, counters, 4, 30 * SITE_BYTES / 16, FAST_PERIOD_NS));
	CHECK_EQUAL(counters[30 * SITE_BYTES / 16],
		    counters_sum(counters, 4, PROFIL_MAX));
	return true;
}

/*
 * Processes and threads
 */

static bool a_forked_child_is_profiled(void)
{
	unsigned short *shared = new_shared(page_size());
	pid_t child;

	CHECK_EQUAL(0, count_sites(shared));
	child = fork();
	if (!child)
		_exit(!counts(6, shared, 2, 6, tick()));
	CHECK(exited_with(child, 0));
	CHECK_EQUAL(shared[6], counters_sum(shared, 2, NR_SITES));
	return true;
}

static bool a_forked_child_has_its_own_private_counters(void)
{
	unsigned short *counters = new_pages(page_size());
	pid_t child;

	CHECK_EQUAL(0, count_sites(counters));
	child = fork();
	if (!child)
		_exit(!spin_until(6, counters, 2, 5));
	CHECK(exited_with(child, 0));
	CHECK_EQUAL(0, counters[6]);
	return true;
}

static bool exec_ends_the_profile(void)
{
	unsigned short *counters = new_pages(page_size());

	CHECK_EQUAL(0, count_sites(counters));
	CHECK(exec_ends_profile());
	return true;
}

struct spinner {
	void *counters;
	bool good;
};

static void *spin_at_12(void *data)
{
	struct spinner *spinner = data;

	spinner->good = counts(12, spinner->counters, 2, 12, tick());
	return NULL;
}

static bool every_thread_is_profiled(void)
{
	unsigned short *counters = new_pages(page_size());
	struct spinner other = { counters, false };
	pthread_t thread;

	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, pthread_create(&thread, NULL, spin_at_12, &other));
	CHECK_EQUAL(0, pthread_join(thread, NULL));
	CHECK(other.good);
	CHECK(counts(11, counters, 2, 11, tick()));
	return true;
}

/*
 * Effects that a program must not see
 */

static bool calls_leave_the_process_state_unchanged(void)
{
	static struct process_state before, during, after;
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);
	struct timeval tv;

	CHECK_EQUAL(0, count_sites(new_pages(page_size())));
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

static bool success_leaves_errno_unchanged(void)
{
	void *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 2);

	errno = EDOM;
	CHECK_EQUAL(0, profil(counters, 128, (uintptr_t)profil_sites, 0x800));
	CHECK_EQUAL(0, stop_all());
	CHECK_EQUAL(0, sprofil(&one, 1, NULL, 0));
	CHECK_EQUAL(0, sprofil(NULL, 0, NULL, 0));
	CHECK_EQUAL(EDOM, errno);
	return true;
}

static bool closing_all_descriptors_keeps_the_profile(void)
{
	unsigned short *counters = new_pages(page_size());

	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, syscall(SYS_close_range, 3, ~0U, 0));
	CHECK(counts(5, counters, 2, 5, tick()));
	return true;
}

static bool no_free_descriptor_returns_emfile(void)
{
	struct rlimit few = { 0, 0 };

	CHECK_EQUAL(0, setrlimit(RLIMIT_NOFILE, &few));
	CHECK_EQUAL(EMFILE, count_sites(new_pages(page_size())));
	return true;
}

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
	(void)signal;
	signals++;
}

static bool signal_comes(void)
{
	__u64 until = wall_ns() + TIMEOUT_NS;

	signals = 0;
	while (!signals && wall_ns() < until)
		spin(5, NSEC_PER_MSEC);
	return signals;
}

static bool the_program_may_use_sigprof_itself(void)
{
	struct itimerval each_tick = { { 0, 10000 }, { 0, 10000 } };
	struct sigaction action = { .sa_handler = count_signal };
	unsigned short *counters = new_pages(page_size());

	CHECK_EQUAL(0, sigaction(SIGPROF, &action, NULL));
	CHECK_EQUAL(0, setitimer(ITIMER_PROF, &each_tick, NULL));
	CHECK_EQUAL(0, count_sites(counters));
	CHECK(counts(5, counters, 2, 5, tick()));
	CHECK(signal_comes());
	CHECK_EQUAL(0, stop_all());
	CHECK(signal_comes());
	return true;
}

static bool a_thousand_starts_and_stops_leak_nothing(void)
{
	unsigned short *counters = new_pages(page_size());
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

static const struct tap_test tests[] = {
/* clang-format off */
#define TEST(name) { #name, name }
	TEST(profil_samples_at_each_tick),
	TEST(profil_writes_only_its_buffer),
	TEST(profil_stops_by_each_documented_call),
	TEST(counters_do_not_change_after_stop),
	TEST(start_replaces_the_profile),
	TEST(profil_has_no_overflow_bin),
	TEST(profil_returns_efault_for_a_bad_buffer),
	TEST(sprofil_checks_errors_in_the_documented_order),
	TEST(sprofil_returns_eacces_while_prof_fast_is_restricted),
	TEST(a_bad_tvp_returns_efault_and_stops),
	TEST(a_failed_start_leaves_no_profile),
	TEST(tvp_gets_the_sampling_period),
	TEST(a_count_of_0_stops),
	TEST(flags_select_the_counters_width),
	TEST(prof_fast_samples_each_millisecond),
	TEST(the_overflow_bin_may_have_any_index),
	TEST(the_region_with_the_largest_offset_counts),
	TEST(a_disabled_region_leaves_the_others_enabled),
	TEST(sprofil_takes_profil_max_regions),
	TEST(a_forked_child_is_profiled),
	TEST(a_forked_child_has_its_own_private_counters),
	TEST(exec_ends_the_profile),
	TEST(every_thread_is_profiled),
	TEST(calls_leave_the_process_state_unchanged),
	TEST(success_leaves_errno_unchanged),
	TEST(closing_all_descriptors_keeps_the_profile),
	TEST(no_free_descriptor_returns_emfile),
	TEST(the_program_may_use_sigprof_itself),
	TEST(a_thousand_starts_and_stops_leak_nothing),
	/* clang-format on */
};

int main(int argc, char **argv)
{
	int status = exec_child_status(argc, argv);

	if (status)
		return status;
	if (device_open() < 0) {
		puts("Bail out! Load the profil module first.");
		return EXIT_FAILURE;
	}
	return tap_run(tests, ARRAY_LENGTH(tests));
}
