// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the parts of libprofil that make a gmon.out: the table of calls
 * and the writer of the file, which is read by a reader of the published formats
 */
#include <sys/resource.h>

#include "core/env.h"
#include "gprof/mcount/arcs.h"
#include "gprof/mcount/gmon_format.h"
#include "../lib/profile_file.h"
#include "../selftests/profil/common.h"
#include "tap.h"

#define THREADS 8
#define MANY 60000

/* Calls from 0x1000 of each of MANY functions */
static __u64 calls[MANY];
static __u64 other_calls;

static int collect(const struct gmon_arc *arc, void *data)
{
	(void)data;
	if (arc->from == 0x1000 && arc->self - 1 < MANY)
		calls[arc->self - 1] += arc->count;
	else
		other_calls += arc->count;
	return 0;
}

static void read_table(void)
{
	memset(calls, 0, sizeof(calls));
	other_calls = 0;
	profil_arcs_each(collect, NULL);
}

static bool all_calls_are(__u64 expected)
{
	read_table();
	for (int i = 0; i < MANY; i++)
		CHECK_EQUAL(expected, calls[i]);
	CHECK_EQUAL(0, other_calls);
	CHECK_EQUAL(0, profil_arcs_lost());
	return true;
}

static void *call_all(void *data)
{
	(void)data;
	for (int i = 0; i < MANY; i++)
		profil_arcs_count(0x1000, i + 1);
	return NULL;
}

TEST("a table that is off counts no calls")
{
	call_all(NULL);
	CHECK(all_calls_are(0));
	CHECK_EQUAL(0, profil_arcs_switch(true));
	profil_arcs_count(0x1000, 1);
	CHECK_EQUAL(0, profil_arcs_switch(false));
	profil_arcs_count(0x1000, 1);
	read_table();
	CHECK_EQUAL(1, calls[0]);
	return true;
}

static pthread_barrier_t barrier;

/* Each thread has an order of its own, and all begin at once. */
static void *call_in_order(void *first)
{
	long begin = (long)first;

	pthread_barrier_wait(&barrier);
	for (int i = 0; i < MANY; i++)
		profil_arcs_count(0x1000, (begin + i) % MANY + 1);
	return NULL;
}

static bool threads_call_all(void)
{
	pthread_t threads[THREADS];

	for (long i = 0; i < THREADS; i++)
		CHECK(!pthread_create(&threads[i], NULL, call_in_order,
				      (void *)(i % 4 * 7)));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return all_calls_are(THREADS);
}

/*
 * More functions are called than the first segment has room for, and the table
 * is empty at first, so that threads compete for the same slots.
 */
TEST("8 threads lose nothing while the table grows")
{
	CHECK_EQUAL(0, profil_arcs_switch(true));
	CHECK(!pthread_barrier_init(&barrier, NULL, THREADS));
	for (int round = 0; round < 60; round++) {
		CHECK(threads_call_all());
		profil_arcs_wipe();
	}
	return true;
}

TEST("any address may be a function")
{
	static const __u64 ends[] = { 0, 1, ~0ULL, 1ULL << 63 };
	__u64 sum = 0;

	CHECK_EQUAL(0, profil_arcs_switch(true));
	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			profil_arcs_count(ends[i], ends[j]);
	read_table();
	for (int i = 0; i < MANY; i++)
		sum += calls[i];
	CHECK_EQUAL(16, other_calls + sum);
	return true;
}

TEST("reset and wipe clear the table")
{
	CHECK_EQUAL(0, profil_arcs_switch(true));
	call_all(NULL);
	profil_arcs_reset();
	CHECK(all_calls_are(0));
	call_all(NULL);
	CHECK(all_calls_are(1));
	profil_arcs_wipe();
	CHECK(all_calls_are(0));
	call_all(NULL);
	return all_calls_are(1);
}

/* Arcs that have no memory are lost, and only in the profile that has counted them. */
TEST("calls that were lost are those of one profile")
{
	struct rlimit all, none = { 0 };

	CHECK_EQUAL(0, profil_arcs_switch(true));
	CHECK(!getrlimit(RLIMIT_AS, &all));
	none.rlim_max = all.rlim_max;
	CHECK(!setrlimit(RLIMIT_AS, &none));
	call_all(NULL);
	CHECK(!setrlimit(RLIMIT_AS, &all));
	CHECK(profil_arcs_lost());
	profil_arcs_reset();
	CHECK(all_calls_are(0));
	call_all(NULL);
	CHECK(all_calls_are(1));
	return true;
}

TEST("errno is unchanged")
{
	CHECK_EQUAL(0, profil_arcs_switch(true));
	errno = ERANGE;
	call_all(NULL);
	CHECK_EQUAL(ERANGE, errno);
	return true;
}

static const char path[] = "gmon.out";
static struct gmon_file file;
static struct profile_file out;

static bool opens(enum gmon_format format)
{
	CHECK_EQUAL(0, profil_gmon_file_open(&file, path, format));
	return true;
}

/* The file as the tests of the library read it, by the published format */
static bool closes_and_reads(void)
{
	CHECK_EQUAL(0, profil_gmon_file_close(&file));
	CHECK(gmon_out_read(path, &out));
	return !unlink(path);
}

static struct gmon_hist hist_of(const void *counters, unsigned int width,
				__u64 bins)
{
	return (struct gmon_hist){ 0x1000, 0x1000 + 4 * bins, counters, width,
				   bins };
}

/* Records of one range, which add up to each counter */
static bool has_hists(const __u64 *expected, __u32 bins, __u32 records,
		      __u32 rate)
{
	CHECK_EQUAL(records, out.nr_hists);
	for (__u32 j = 0; j < records; j++) {
		CHECK_EQUAL(0x1000, out.hists[j].low);
		CHECK_EQUAL(0x1000 + 4 * bins, out.hists[j].high);
		CHECK_EQUAL(bins, out.hists[j].nr_bins);
		CHECK_EQUAL(rate, out.hists[j].rate);
	}
	for (__u32 i = 0; i < bins; i++) {
		__u64 sum = 0;

		for (__u32 j = 0; j < records; j++)
			sum += out.hists[j].bins[i];
		CHECK_EQUAL(expected[i], sum);
	}
	return true;
}

static bool writes_hist(const void *counters, unsigned int width,
			const __u64 *expected, __u32 records)
{
	struct gmon_hist hist = hist_of(counters, width, 3);

	CHECK(opens(GMON_GNU));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 250));
	CHECK(closes_and_reads() && !out.is_bsd);
	return has_hists(expected, 3, records, 250);
}

TEST("counts above 65535 take several records")
{
	static const __u16 narrow[] = { 1, 0, 65535 };
	static const __u32 counters[] = { 65536, 7, 200000 };
	static const __u64 few[] = { 1, 0, 65535 };
	static const __u64 same[] = { 65536, 7, 200000 };
	static const __u64 wide[] = { 65535 * 3ULL, 0, 1 };

	return writes_hist(narrow, 2, few, 1) &&
	       writes_hist(counters, 4, same, 4) &&
	       writes_hist(wide, 8, wide, 3);
}

#define CALLS 5000000000ULL

static const struct gmon_arc many_calls = { 0x1004, 0x2000, CALLS };

/* Records of the arc, none of more than @most calls */
static bool has_calls(__u32 records, __u64 most)
{
	__u64 sum = 0;

	CHECK_EQUAL(records, out.nr_calls);
	for (__u32 i = 0; i < records; i++) {
		CHECK_EQUAL(0x1004, out.calls[i].from);
		CHECK_EQUAL(0x2000, out.calls[i].self);
		CHECK(out.calls[i].count <= most);
		sum += out.calls[i].count;
	}
	CHECK_EQUAL(CALLS, sum);
	return true;
}

TEST("calls above 31 bits take several records")
{
	CHECK(opens(GMON_GNU));
	CHECK_EQUAL(0, profil_gmon_file_arc(&file, &many_calls));
	CHECK(closes_and_reads());
	return has_calls(3, 0x7fffffff);
}

TEST("4.4BSD's file has the published layout")
{
	static const __u32 counters[] = { 5, 65536 };
	static const __u64 due[] = { 5, 65535 };
	struct gmon_hist hist = hist_of(counters, 4, 2);

	CHECK(opens(GMON_BSD));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 250));
	CHECK_EQUAL(0, profil_gmon_file_arc(&file, &many_calls));
	CHECK(closes_and_reads() && out.is_bsd);
	return has_hists(due, 2, 1, 250) && has_calls(1, CALLS);
}

TEST("4.4BSD's file has one histogram, at the front")
{
	static const __u16 counters[2];
	struct gmon_hist hist = hist_of(counters, 2, 2);
	struct gmon_arc arc = { 1, 2, 3 };

	CHECK(opens(GMON_BSD));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_arc(&file, &arc));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_close(&file));
	CHECK(opens(GMON_BSD));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 100));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_hist(&file, &hist, 100));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_close(&file));
	return !unlink(path);
}

TEST("too many bins are refused")
{
	struct gmon_hist hist = hist_of(NULL, 2, 1ULL << 30);

	CHECK(opens(GMON_GNU));
	CHECK_EQUAL(-E2BIG, profil_gmon_file_hist(&file, &hist, 100));
	CHECK_EQUAL(-E2BIG, profil_gmon_file_close(&file));
	return !unlink(path);
}

/* The first 20 bytes for /dev/full stay in the buffer until closing. */
TEST("errors are returned, and kept")
{
	struct gmon_arc arc = { 1, 2, 3 };
	int full = open("/dev/full", O_WRONLY);

	CHECK(opens(GMON_GNU));
	CHECK(full >= 0 && dup2(full, file.out.fd) == file.out.fd);
	close(full);
	for (int i = 0; i < 1000; i++)
		profil_gmon_file_arc(&file, &arc);
	CHECK_EQUAL(-ENOSPC, profil_gmon_file_arc(&file, &arc));
	CHECK_EQUAL(-ENOSPC, profil_gmon_file_close(&file));
	CHECK_EQUAL(-ENOSPC, profil_gmon_file_close(&file));
	return !unlink(path);
}

TEST("only regular files are written")
{
	CHECK(!symlink("target", path));
	CHECK_EQUAL(-ELOOP, profil_gmon_file_open(&file, path, GMON_GNU));
	CHECK(!unlink(path) && !mkfifo(path, 0600));
	CHECK_EQUAL(-ENXIO, profil_gmon_file_open(&file, path, GMON_GNU));
	CHECK_EQUAL(-EINVAL,
		    profil_gmon_file_open(&file, "/dev/null", GMON_GNU));
	CHECK_EQUAL(-EISDIR, profil_gmon_file_open(&file, "/tmp", GMON_GNU));
	return !unlink(path);
}

TEST("a number in the environment is digits alone, and no more than it can be")
{
	static const struct {
		const char *text;
		unsigned long number;
	} rows[] = {
		{ "0", 0 },    { "250", 250 }, { "", 7 },
		{ "1e3", 7 },  { "5m", 7 },    { "5 ", 7 },
		{ " 5", 7 },   { "-1", 7 },    { "+1", 7 },
		{ "0x10", 7 }, { "1.5", 7 },   { "99999999999999999999", 7 },
	};

	for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
		CHECK(!setenv("PROFIL_NUMBER", rows[i].text, 1));
		CHECK_EQUAL(rows[i].number,
			    profil_env_number("PROFIL_NUMBER", 7));
	}
	unsetenv("PROFIL_NUMBER");
	return profil_env_number("PROFIL_NUMBER", 8) == 8;
}
