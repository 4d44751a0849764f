/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixture of the programs that inject faults. */
#ifndef PROFIL_TEST_FAULTS_H
#define PROFIL_TEST_FAULTS_H

#include "harness.h"

#include <sys/mman.h>

#include "crowd.h"
#include "fault_injection.h"
#include "module.h"

#define LARGE 0x400000UL /* not pinned as a whole at START */
/* In LARGE bytes of counters each site has several pages. */
#define SITE_ROOM (LARGE / NR_SITES)
#define LARGE_SCALE (SITE_ROOM * (0x10000 / SITE_BYTES))

FIXTURE(faults)
{
	int fd;
	char *counters; /* LARGE bytes */
	struct profil_totals *totals;
};

/* The type of self. */
#define faults_data FIXTURE_DATA(faults)

FIXTURE_SETUP(faults)
{
	if (!faults_open() || geteuid())
		SKIP(return, "needs root and fault injection");
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(LARGE);
	ASSERT_NE(NULL, self->counters);
	self->totals = new_shared(page_size());
	ASSERT_NE(NULL, self->totals);
	allow_every_fault();
	focus_on_module();
}

FIXTURE_TEARDOWN(faults)
{
	faults_close();
	close(self->fd);
}

/* The arguments of begin(): a START whose counters have no pages yet. */
struct start_call {
	int fd;
	char *counters;
	size_t size;
	__u64 period_ns;
	struct profil_totals *totals;
};

static inline int begin(void *argument)
{
	const struct start_call *call_args = argument;
	size_t size = call_args->size;
	struct profil_region region =
		region_of(call_args->counters, size, profil_sites, LARGE_SCALE);
	struct profil_start args =
		start_of(&region, 1, 4, call_args->period_ns);

	args.totals = (uintptr_t)call_args->totals;
	return start(call_args->fd, &args);
}

/*
 * Make each fault of a START on @fd, whose session counts in @witness.
 * @runs(@fd, @witness, n) waits until that session has n samples.
 */
static inline void
check_failed_starts(struct __test_metadata *_metadata, int fd, char *counters,
		    bool (*runs)(int fd, const void *witness, __u64 count))
{
	struct start_call call_args = { .fd = fd,
					.size = LARGE,
					.counters = counters,
					.period_ns = NSEC_PER_MSEC };
	void *witness = new_pages(page_size());
	unsigned int nr, failed = 0;
	bool came = true;

	ASSERT_NE(NULL, witness);
	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		int result;

		madvise(counters, LARGE, MADV_DONTNEED);
		ASSERT_OK(start_sites(fd, witness, 4, FAST_NS));
		came = call_with_fault(nr, begin, &call_args, &result);
		ASSERT_TRUE(may_result_from_fault(result));
		ASSERT_EQ(result ? FAST_NS : NSEC_PER_MSEC,
			  stats_now(fd).period_ns);
		if (result)
			ASSERT_TRUE(runs(fd, witness, ++failed));
	}
	EXPECT_FALSE(came);
	EXPECT_LT(2, failed);
	EXPECT_TRUE(only_session_is_charged(fd, witness));
	ASSERT_OK(stop(fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

static inline int ask_stats(void *fd)
{
	__u32 states[1];
	struct profil_stats seen = stats_blank(states, 1);

	return stats(*(int *)fd, &seen);
}

/* Make each fault of a STATS on @fd, which has a session. */
static inline void check_failed_stats(struct __test_metadata *_metadata, int fd)
{
	unsigned int nr, failed = 0;
	bool came = true;
	int result = -1;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		came = call_with_fault(nr, ask_stats, &fd, &result);
		ASSERT_TRUE(may_result_from_fault(result));
		ASSERT_EQ(PROFIL_STATS_SESSION, stats_now(fd).flags);
		failed += result != 0;
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	EXPECT_LE(2, failed);
	TH_LOG("%u failed of %u", failed, nr - 1);
}

static inline int stop_with_stats(void *fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	return stop(*(int *)fd, &seen);
}

/*
 * Make each fault of a STOP. @samples(fd) returns true after a few samples. A
 * failed STOP has ended the session or has not: there is no third state.
 */
static inline void check_failed_stops(struct __test_metadata *_metadata,
				      struct start_call *call_args,
				      bool (*samples)(int fd))
{
	unsigned int nr, failed = 0;
	bool came = true;
	int result = -1;

	for (nr = 1; came && nr < MOST_FAULTS; nr++) {
		ASSERT_OK(begin(call_args));
		ASSERT_TRUE(samples(call_args->fd));
		came = call_with_fault(nr, stop_with_stats, &call_args->fd,
				       &result);
		ASSERT_TRUE(may_result_from_fault(result));
		if (stats_now(call_args->fd).flags) {
			ASSERT_NE(0, result);
			ASSERT_OK(stop(call_args->fd, NULL));
		}
		ASSERT_EQ(nr, call_args->totals->ended);
		failed += result != 0;
	}
	EXPECT_FALSE(came);
	EXPECT_EQ(0, result);
	EXPECT_LE(2, failed);
	TH_LOG("%u failed of %u", failed, nr - 1);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

#endif /* PROFIL_TEST_FAULTS_H */
