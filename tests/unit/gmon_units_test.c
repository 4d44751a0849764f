// SPDX-License-Identifier: GPL-2.0-only
/*
 * Unit tests of the parts of libprofil that make a gmon.out: the table of calls
 * and the writer of the file, whose output is compared byte by byte
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gprof/mcount/arcs.h"
#include "gprof/mcount/gmon_format.h"
#include "../../selftests/profil/common.h"
#include "tap.h"

#define THREADS 8
#define MANY 60000

/*
 * The table
 */

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

TEST("a forked child begins without calls")
{
	pid_t child;

	CHECK_EQUAL(0, profil_arcs_switch(true));
	call_all(NULL);
	child = fork();
	if (!child) {
		bool empty = all_calls_are(0);

		call_all(NULL);
		_exit(empty && all_calls_are(1) ? 7 : 1);
	}
	CHECK(exited_with(child, 7));
	return all_calls_are(1);
}

static void in_handler(int signal)
{
	(void)signal;
	profil_arcs_count(0x2000, 0x3000);
	errno = EDOM;
}

TEST("calls in signal handlers are counted")
{
	struct sigaction action = { .sa_handler = in_handler };
	struct itimerval often = {
		.it_interval.tv_usec = 100,
		.it_value.tv_usec = 100,
	};

	CHECK_EQUAL(0, profil_arcs_switch(true));
	CHECK(!sigaction(SIGALRM, &action, NULL));
	CHECK(!setitimer(ITIMER_REAL, &often, NULL));
	for (int i = 0; i < 20; i++)
		call_all(NULL);
	often.it_value.tv_usec = 0;
	CHECK(!setitimer(ITIMER_REAL, &often, NULL));
	read_table();
	for (int i = 0; i < MANY; i++)
		CHECK_EQUAL(20, calls[i]);
	CHECK(other_calls > 0);
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

/*
 * The writer
 */

static char path[64];
static struct gmon_file file;
static unsigned char content[65536];
static size_t length;

static bool is_closed_and_read(void)
{
	FILE *stream;

	CHECK_EQUAL(0, profil_gmon_file_close(&file));
	memset(content, POISON, sizeof(content));
	stream = fopen(path, "r");
	CHECK(stream);
	length = fread(content, 1, sizeof(content), stream);
	fclose(stream);
	return true;
}

static bool is_opened(enum gmon_format format)
{
	CHECK_EQUAL(0, profil_gmon_file_open(&file, path, format));
	return true;
}

static __u64 at(size_t offset, size_t size)
{
	__u64 value = 0;

	memcpy(&value, content + offset, size);
	return value;
}

static struct gmon_hist hist_of(const void *counters, unsigned int width,
				__u64 bins)
{
	return (struct gmon_hist){ 0x1000, 0x1000 + 4 * bins, counters, width,
				   bins };
}

/* The header, then one record field by field */
TEST("a histogram has the published layout")
{
	static const __u16 counters[3] = { 1, 0, 65535 };
	struct gmon_hist hist = hist_of(counters, 2, 3);

	CHECK(is_opened(GMON_GNU));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 250));
	CHECK(is_closed_and_read());
	CHECK_EQUAL(20 + 41 + 6, length);
	CHECK(!memcmp(content, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20));
	CHECK_EQUAL(0, at(20, 1));
	CHECK_EQUAL(0x1000, at(21, 8));
	CHECK_EQUAL(0x100c, at(29, 8));
	CHECK_EQUAL(3, at(37, 4));
	CHECK_EQUAL(250, at(41, 4));
	CHECK(!memcmp(content + 45, "seconds\0\0\0\0\0\0\0\0s", 16));
	CHECK(!memcmp(content + 61, counters, 6));
	return true;
}

/* Records of the same range add up to each counter. */
static bool adds_up_to(const __u64 *expected, size_t bins, size_t records)
{
	size_t size = 41 + 2 * bins;

	CHECK_EQUAL(20 + records * size, length);
	for (size_t i = 0; i < bins; i++) {
		__u64 sum = 0;

		for (size_t j = 0; j < records; j++)
			sum += at(20 + j * size + 41 + 2 * i, 2);
		CHECK_EQUAL(expected[i], sum);
	}
	for (size_t j = 1; j < records; j++)
		CHECK(!memcmp(content + 20, content + 20 + j * size, 41));
	return true;
}

TEST("counts above 65535 take several records")
{
	static const __u32 counters[] = { 65536, 7, 200000 };
	static const __u64 wide[] = { 65535 * 3ULL, 0, 1 };
	static const __u64 same[] = { 65536, 7, 200000 };
	struct gmon_hist hist = hist_of(counters, 4, 3);

	CHECK(is_opened(GMON_GNU));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 100));
	CHECK(is_closed_and_read());
	CHECK(adds_up_to(same, 3, 4));
	hist = hist_of(wide, 8, 3);
	CHECK(is_opened(GMON_GNU));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 100));
	CHECK(is_closed_and_read());
	return adds_up_to(wide, 3, 3);
}

TEST("calls above 31 bits take several records")
{
	struct gmon_arc arc = { 0x1004, 0x2000, 5000000000ULL };
	__u64 sum = 0;

	CHECK(is_opened(GMON_GNU));
	CHECK_EQUAL(0, profil_gmon_file_arc(&file, &arc));
	CHECK(is_closed_and_read());
	CHECK_EQUAL(20 + 3 * 21, length);
	for (size_t i = 20; i < length; i += 21) {
		CHECK_EQUAL(1, at(i, 1));
		CHECK_EQUAL(0x1004, at(i + 1, 8));
		CHECK_EQUAL(0x2000, at(i + 9, 8));
		CHECK(at(i + 17, 4) <= 0x7fffffff);
		sum += at(i + 17, 4);
	}
	CHECK_EQUAL(5000000000ULL, sum);
	return true;
}

TEST("4.4BSD's file has the published layout")
{
	static const __u32 counters[2] = { 5, 65536 };
	struct gmon_hist hist = hist_of(counters, 4, 2);
	struct gmon_arc arc = { 0x1004, 0x2000, 5000000000ULL };

	CHECK(is_opened(GMON_BSD));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 250));
	CHECK_EQUAL(0, profil_gmon_file_arc(&file, &arc));
	CHECK(is_closed_and_read());
	CHECK_EQUAL(40 + 4 + 24, length);
	CHECK_EQUAL(0x1000, at(0, 8));
	CHECK_EQUAL(0x1008, at(8, 8));
	CHECK_EQUAL(44, at(16, 4));
	CHECK_EQUAL(0x51879, at(20, 4));
	CHECK_EQUAL(250, at(24, 4));
	CHECK_EQUAL(0, at(28, 8) | at(36, 4));
	CHECK_EQUAL(5, at(40, 2));
	CHECK_EQUAL(65535, at(42, 2));
	CHECK_EQUAL(0x1004, at(44, 8));
	CHECK_EQUAL(0x2000, at(52, 8));
	CHECK_EQUAL(5000000000ULL, at(60, 8));
	return true;
}

TEST("4.4BSD's file has one histogram, at the front")
{
	static const __u16 counters[2];
	struct gmon_hist hist = hist_of(counters, 2, 2);
	struct gmon_arc arc = { 1, 2, 3 };

	CHECK(is_opened(GMON_BSD));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_arc(&file, &arc));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_close(&file));
	CHECK(is_opened(GMON_BSD));
	CHECK_EQUAL(0, profil_gmon_file_hist(&file, &hist, 100));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_hist(&file, &hist, 100));
	CHECK_EQUAL(-EINVAL, profil_gmon_file_close(&file));
	return true;
}

TEST("too many bins are refused")
{
	struct gmon_hist hist = hist_of(NULL, 2, 1ULL << 30);

	CHECK(is_opened(GMON_GNU));
	CHECK_EQUAL(-E2BIG, profil_gmon_file_hist(&file, &hist, 100));
	CHECK_EQUAL(-E2BIG, profil_gmon_file_close(&file));
	return true;
}

/* The first 20 bytes for /dev/full stay in the buffer until closing. */
TEST("errors are returned, and kept")
{
	struct gmon_arc arc = { 1, 2, 3 };
	int full = open("/dev/full", O_WRONLY);

	CHECK(is_opened(GMON_GNU));
	CHECK(full >= 0 && dup2(full, file.out.fd) == file.out.fd);
	for (int i = 0; i < 1000; i++)
		profil_gmon_file_arc(&file, &arc);
	CHECK_EQUAL(-ENOSPC, profil_gmon_file_arc(&file, &arc));
	CHECK_EQUAL(-ENOSPC, profil_gmon_file_close(&file));
	CHECK_EQUAL(-ENOSPC, profil_gmon_file_close(&file));
	return true;
}

TEST("only regular files are written")
{
	char name[80];

	snprintf(name, sizeof(name), "%s-other", path);
	CHECK(!symlink(path, name));
	CHECK_EQUAL(-ELOOP, profil_gmon_file_open(&file, name, GMON_GNU));
	unlink(name);
	CHECK(!mkfifo(name, 0600));
	CHECK_EQUAL(-ENXIO, profil_gmon_file_open(&file, name, GMON_GNU));
	unlink(name);
	CHECK_EQUAL(-EINVAL,
		    profil_gmon_file_open(&file, "/dev/null", GMON_GNU));
	CHECK_EQUAL(-EISDIR, profil_gmon_file_open(&file, "/tmp", GMON_GNU));
	return true;
}

int main(void)
{
	int descriptor, ret;

	snprintf(path, sizeof(path), "/tmp/gmon_units-XXXXXX");
	descriptor = mkstemp(path);
	if (descriptor < 0)
		return EXIT_FAILURE;
	close(descriptor);
	ret = tap_run();
	unlink(path);
	return ret;
}
