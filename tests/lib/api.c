// SPDX-License-Identifier: GPL-2.0-only
/*
 * profil() and sprofil() with the driver at work
 *
 * Built three times: linked with the C library alone, to have libprofil.so
 * preloaded; linked with libprofil.so; and static, with libprofil.a.
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
#include "process_state.h"
#include "tap.h"

/* Some ticks */
#define LONG (100 * NSEC_PER_MSEC)
#define SHORT (60 * NSEC_PER_MSEC)
#define FAST NSEC_PER_MSEC

static __u64 tick(void)
{
	int fd = device_open();
	__u64 ns = tick_ns(fd);

	close(fd);
	return ns;
}

/* 0, or the errno of a call that answers -1 and nothing else. */
static int result(int ret)
{
	return ret == -1 ? errno : ret;
}

static int count_sites(void *counters)
{
	return result(profil(counters, NR_SITES * 2, (uintptr_t)profil_sites,
			     SITE_SCALE(2)));
}

/* glibc declares that it may not be NULL, and older manuals that it may. */
static unsigned short *volatile none;

static int stop_all(void)
{
	return result(profil(none, 0, 0, 0));
}

static int list(struct prof *profp, int nr, unsigned int flags)
{
	return result(sprofil(profp, nr, NULL, flags));
}

/* Sites from @first on, a counter of @width bytes for each of @nr */
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
 * Spin at site @nr: does its counter, @index, tell so? Where the machine counts
 * instructions it has what is due to a thread that has the CPU to itself; else
 * it gets something in the end.
 */
static bool counts(unsigned int nr, const void *counters, unsigned int width,
		   size_t index, __u64 period_ns)
{
	const char *at = (const char *)counters + index * width;
	__u64 before = counter(at, width, 0), used = thread_ns();

	if (!machine_counts())
		return spin_until_at(nr, at, width, before + 1);
	spin(nr, LONG);
	used = thread_ns() - used;
	CHECK_BETWEEN(used / period_ns - 1, counter(at, width, 0) - before,
		      used / period_ns + 2);
	return true;
}

/*
 * profil()
 */

static bool profil_counts_each_tick(void)
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

	/* An odd size: the last byte is no counter. */
	CHECK_EQUAL(0, result(profil(counters, 9, (uintptr_t)profil_sites,
				     SITE_SCALE(2))));
	CHECK(counts(3, counters, 2, 3, tick()));
	spin(4, SHORT);
	spin(63, SHORT);
	CHECK(all_bytes(&counters[4], 0, page_size() - 8));
	return true;
}

static bool profil_stops_by_each_way(void)
{
	unsigned short *counters = new_pages(page_size());
	uintptr_t text = (uintptr_t)profil_sites;

	CHECK_EQUAL(0, count_sites(counters));
	CHECK(driver_is_on());
	CHECK_EQUAL(0, result(profil(counters, 128, text, 0)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, result(profil(counters, 128, text, 1)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, result(profil(counters, 0, text, SITE_SCALE(2))));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, result(profil(none, 128, text, SITE_SCALE(2))));
	CHECK(!driver_is_on());
	CHECK_EQUAL(0, stop_all());
	return true;
}

static bool nothing_changes_after_the_stop(void)
{
	unsigned short *counters = new_pages(page_size());
	unsigned short last;

	CHECK_EQUAL(0, count_sites(counters));
	CHECK(spin_until(7, counters, 2, 3));
	CHECK_EQUAL(0, stop_all());
	last = counters[7];
	spin(7, SHORT);
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

static bool scale_2_is_no_overflow_bin_of_profil(void)
{
	unsigned short *counters = new_pages(page_size());

	/* From address 0, a counter for 64 KiB: the sites are beyond it. */
	CHECK_EQUAL(0, result(profil(counters, 2, 0, 2)));
	CHECK(driver_is_on());
	spin(1, SHORT);
	CHECK_EQUAL(0, counters[0]);
	CHECK_EQUAL(0, result(profil(counters, 2, (uintptr_t)profil_sites, 2)));
	CHECK(counts(1, counters, 2, 0, tick()));
	return true;
}

static bool profil_names_a_bad_buffer(void)
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

static bool sprofil_names_the_first_error(void)
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
	cut->pr_scale = 1UL << 32;
	CHECK_EQUAL(EFAULT, list(cut, 2, 0));
	CHECK_EQUAL(EINVAL, list(cut, 1, 0));
	one.pr_base = (char *)counters + 2;
	CHECK_EQUAL(0, list(&one, 1, PROF_USHORT));
	CHECK_EQUAL(EINVAL, list(&one, 1, PROF_UINT));
	one.pr_base = (void *)64;
	CHECK_EQUAL(EFAULT, list(&one, 1, PROF_UINT));
	return true;
}

static bool sprofil_answers_eacces_while_fast_is_restricted(void)
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

static bool a_bad_tvp_is_efault_and_stops(void)
{
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);
	void *fixed = new_pages(page_size());

	CHECK_EQUAL(0, mprotect(fixed, page_size(), PROT_READ));
	CHECK_EQUAL(EFAULT, result(sprofil(&one, 1, (void *)8, 0)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(EFAULT, result(sprofil(&one, 1, fixed, 0)));
	CHECK(!driver_is_on());
	CHECK_EQUAL(EFAULT, result(sprofil(NULL, 0, (void *)8, 0)));
	return true;
}

static bool failed_start_leaves_nothing_on(void)
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

static bool tvp_tells_the_true_period(void)
{
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);
	long tick_us = (long)(tick() / 1000);
	struct timeval tv = { -1, -1 };

	CHECK_EQUAL(0, result(sprofil(&one, 1, &tv, PROF_USHORT)));
	CHECK_EQUAL(tick_us, tv.tv_sec * 1000000 + tv.tv_usec);
	CHECK_EQUAL(0, result(sprofil(&one, 1, &tv, PROF_FAST)));
	CHECK_EQUAL(1000, tv.tv_sec * 1000000 + tv.tv_usec);
	CHECK_EQUAL(0, result(sprofil(NULL, 0, &tv, 0)));
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

static bool counters_have_the_width_asked_for(void)
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

static bool prof_fast_counts_each_millisecond(void)
{
	unsigned int *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 4);

	CHECK_EQUAL(0, list(&one, 1, PROF_UINT | PROF_FAST));
	CHECK_EQUAL(FAST, driver_period_ns());
	CHECK(counts(2, counters, 4, 2, FAST));
	return true;
}

/* @place of the overflow bin in a list of three */
static bool bin_takes_the_rest(int place)
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
	CHECK(counts(1, counters, 4, 0, FAST));
	CHECK(counts(2, counters, 4, 1, FAST));
	taken = counters[0] + counters[1];
	CHECK(counts(40, counters, 4, 2, FAST));
	CHECK_EQUAL(taken, counters[0] + counters[1]);
	return true;
}

static bool overflow_bin_may_be_anywhere(void)
{
	for (int place = 0; place < 3; place++)
		CHECK(bin_takes_the_rest(place));
	return true;
}

static bool the_largest_offset_wins(void)
{
	unsigned int *counters = new_pages(page_size());
	struct prof some[] = {
		sites(&counters[100], 8, 8, 4),
		sites(&counters[0], 0, NR_SITES, 4),
		sites(&counters[200], 8, 8, 4),
	};

	CHECK_EQUAL(0, list(some, 3, PROF_UINT | PROF_FAST));
	CHECK(counts(10, counters, 4, 102, FAST));
	CHECK(counts(20, counters, 4, 20, FAST));
	CHECK_EQUAL(0, counters[10] + counters[202]);
	return true;
}

static bool a_region_that_is_off_leaves_the_others_on(void)
{
	unsigned int *counters = new_pages(page_size());
	struct prof some[] = {
		sites((void *)16, 4, 1, 4),
		sites(&counters[0], 0, NR_SITES, 4),
		sites((void *)16, 4, 0, 4),
	};

	some[0].pr_scale = 1;
	CHECK_EQUAL(0, list(some, 3, PROF_UINT | PROF_FAST));
	CHECK(counts(4, counters, 4, 4, FAST));
	return true;
}

static bool as_many_regions_as_promised(void)
{
	unsigned int *counters = new_pages(PROFIL_MAX * 4);
	struct prof *many = calloc(PROFIL_MAX, sizeof(*many));

	/* In descending order, and each a counter for one byte's worth. */
	for (int i = 0; i < PROFIL_MAX; i++)
		many[PROFIL_MAX - 1 - i] = (struct prof){
			.pr_base = &counters[i],
			.pr_size = 4,
			.pr_off = (uintptr_t)profil_sites + 16 * i,
			.pr_scale = 0x10000 / 4,
		};
	CHECK_EQUAL(0, list(many, PROFIL_MAX, PROF_UINT | PROF_FAST));
	CHECK(counts(30, counters, 4, 30 * SITE_BYTES / 16, FAST));
	CHECK_EQUAL(counters[30 * SITE_BYTES / 16],
		    counters_sum(counters, 4, PROFIL_MAX));
	return true;
}

/*
 * Processes and threads
 */

static bool a_forked_child_counts(void)
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

static bool a_forked_child_has_counters_of_its_own(void)
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

static bool exec_ends_it(void)
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

static bool every_thread_counts(void)
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
 * What a program must not notice
 */

static bool state_is_left_alone(void)
{
	static struct state before, during, after;
	struct prof one = sites(new_pages(page_size()), 0, NR_SITES, 2);
	struct timeval tv;

	CHECK_EQUAL(0, count_sites(new_pages(page_size())));
	CHECK_EQUAL(0, stop_all());
	CHECK(state_read(&before));
	CHECK_EQUAL(0, result(sprofil(&one, 1, &tv, PROF_FAST)));
	CHECK(state_read(&during));
	CHECK_EQUAL(0, result(sprofil(NULL, 0, &tv, 0)));
	CHECK_EQUAL(EFAULT, result(sprofil(&one, 1, (void *)8, 0)));
	CHECK(state_read(&after));
	CHECK(state_equal(&before, &during));
	CHECK(state_equal(&before, &after));
	return true;
}

static bool errno_is_left_alone_by_success(void)
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

static bool closing_all_descriptors_stops_nothing(void)
{
	unsigned short *counters = new_pages(page_size());

	CHECK_EQUAL(0, count_sites(counters));
	CHECK_EQUAL(0, syscall(SYS_close_range, 3, ~0U, 0));
	CHECK(counts(5, counters, 2, 5, tick()));
	return true;
}

static bool without_a_free_descriptor_it_is_emfile(void)
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

static bool the_programs_own_sigprof_arrives(void)
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

static bool on_and_off_thousands_of_times(void)
{
	unsigned short *counters = new_pages(page_size());
	struct prof one = sites(counters, 0, NR_SITES, 2);
	static struct state before, after;

	CHECK_EQUAL(0, stop_all());
	CHECK(state_read(&before));
	for (int i = 0; i < 2000; i++) {
		CHECK_EQUAL(0, count_sites(counters));
		CHECK_EQUAL(0, stop_all());
		CHECK_EQUAL(0, list(&one, 1, PROF_FAST));
		CHECK_EQUAL(0, list(NULL, 0, 0));
	}
	CHECK(!driver_is_on());
	CHECK(state_read(&after));
	CHECK(state_equal(&before, &after));
	CHECK_EQUAL(0, count_sites(counters));
	CHECK(spin_until(5, counters, 2, counters[5] + 3));
	return true;
}

static const struct tap_test tests[] = {
/* clang-format off */
#define TEST(name) { #name, name }
	TEST(profil_counts_each_tick),
	TEST(profil_writes_only_its_buffer),
	TEST(profil_stops_by_each_way),
	TEST(nothing_changes_after_the_stop),
	TEST(start_replaces_the_profile),
	TEST(scale_2_is_no_overflow_bin_of_profil),
	TEST(profil_names_a_bad_buffer),
	TEST(sprofil_names_the_first_error),
	TEST(sprofil_answers_eacces_while_fast_is_restricted),
	TEST(a_bad_tvp_is_efault_and_stops),
	TEST(failed_start_leaves_nothing_on),
	TEST(tvp_tells_the_true_period),
	TEST(a_count_of_0_stops),
	TEST(counters_have_the_width_asked_for),
	TEST(prof_fast_counts_each_millisecond),
	TEST(overflow_bin_may_be_anywhere),
	TEST(the_largest_offset_wins),
	TEST(a_region_that_is_off_leaves_the_others_on),
	TEST(as_many_regions_as_promised),
	TEST(a_forked_child_counts),
	TEST(a_forked_child_has_counters_of_its_own),
	TEST(exec_ends_it),
	TEST(every_thread_counts),
	TEST(state_is_left_alone),
	TEST(errno_is_left_alone_by_success),
	TEST(closing_all_descriptors_stops_nothing),
	TEST(without_a_free_descriptor_it_is_emfile),
	TEST(the_programs_own_sigprof_arrives),
	TEST(on_and_off_thousands_of_times),
	/* clang-format on */
};

int main(int argc, char **argv)
{
	int status = is_on_status(argc, argv);

	if (status)
		return status;
	if (device_open() < 0) {
		puts("Bail out! Load the profil module first.");
		return EXIT_FAILURE;
	}
	return tap_run(tests, ARRAY_LENGTH(tests));
}
