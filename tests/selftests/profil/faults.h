/* SPDX-License-Identifier: GPL-2.0-only */
/* The fixture of the programs that inject faults. */
#ifndef PROFIL_TEST_FAULTS_H
#define PROFIL_TEST_FAULTS_H

#include "harness.h"

#include "fault_injection.h"
#include "helpers.h"

#define LARGE 0x400000UL /* not pinned as a whole at START */
/* In LARGE bytes of counters each site has several pages. */
#define SITE_ROOM (LARGE / NR_SITES)

FIXTURE(faults)
{
	int fd;
	char *counters; /* LARGE bytes */
};

/* The type of self. */
#define faults_data FIXTURE_DATA(faults)

FIXTURE_SETUP(faults)
{
	if (!faults_open() || geteuid())
		SKIP(return, "needs root and fault injection");
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(LARGE);
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
};

static inline struct start_call start_call_of(const faults_data *self,
					      size_t size, __u64 period_ns)
{
	return (struct start_call){ self->fd, self->counters, size, period_ns };
}

static inline int begin(void *argument)
{
	const struct start_call *call_args = argument;

	return start_spread(call_args->fd, call_args->counters, call_args->size,
			    call_args->period_ns);
}

/* The session on @fd, at the sites, counts; it ends, and nothing is left. */
static inline void check_counting(int fd, const void *counters)
{
	EXPECT_TRUE(spin_until(1, counters, 4, 3));
	ASSERT_OK(stop(fd, NULL));
	EXPECT_TRUE(wait_for_nothing_left(1));
}

/**
 * struct faults_made - the faults of a call, one after the other
 * @nr: the number of the fault
 * @failed: how many have made the call fail
 * @came: the last has occurred
 * @result: of the last call
 */
struct faults_made {
	unsigned int nr;
	unsigned int failed;
	bool came;
	int result;
};

/* The next fault; false if the last did not occur. */
static inline bool next_fault(struct faults_made *made)
{
	return (!made->nr || made->came) && ++made->nr < MOST_FAULTS;
}

/* Make the call with the fault. Return its result, 0 or that of a fault. */
static inline int make_fault(struct faults_made *made,
			     int (*make_call)(void *argument), void *argument)
{
	made->came =
		call_with_fault(made->nr, make_call, argument, &made->result);
	ASSERT_TRUE(may_result_from_fault(made->result))
	{
		TH_LOG("fault %u: %d", made->nr, made->result);
	}
	made->failed += made->result != 0;
	return made->result;
}

/* At least @least faults have made the call fail, and then it had none. */
static inline void check_faults(const struct faults_made *made,
				unsigned int least)
{
	EXPECT_FALSE(made->came);
	EXPECT_EQ(0, made->result);
	EXPECT_LE(least, made->failed);
	TH_LOG("%u failed of %u", made->failed, made->nr);
}

/*
 * Make each fault of a START on @fd, whose session counts in @witness.
 * @runs(@fd, @witness, n) waits until that session has n samples.
 */
static inline void check_failed_starts(int fd, char *counters,
				       bool (*runs)(int fd, const void *witness,
						    __u64 count))
{
	struct start_call call_args = { fd, counters, LARGE, NSEC_PER_MSEC };
	void *witness = new_pages(page_size());
	struct faults_made made = { 0 };
	int result;

	while (next_fault(&made)) {
		madvise(counters, LARGE, MADV_DONTNEED);
		ASSERT_OK(start_sites(fd, witness, 4, FAST_NS));
		result = make_fault(&made, begin, &call_args);
		ASSERT_EQ(result ? FAST_NS : NSEC_PER_MSEC,
			  stats_now(fd).period_ns);
		if (result)
			ASSERT_TRUE(runs(fd, witness, made.failed));
	}
	check_faults(&made, 3);
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
static inline void check_failed_stats(int fd)
{
	struct faults_made made = { 0 };

	while (next_fault(&made)) {
		make_fault(&made, ask_stats, &fd);
		ASSERT_EQ(PROFIL_STATS_SESSION, stats_now(fd).flags);
	}
	check_faults(&made, 2);
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
static inline void check_failed_stops(struct start_call *call_args,
				      bool (*samples)(int fd))
{
	struct faults_made made = { 0 };
	int result;

	while (next_fault(&made)) {
		ASSERT_OK(begin(call_args));
		ASSERT_TRUE(samples(call_args->fd));
		result = make_fault(&made, stop_with_stats, &call_args->fd);
		if (stats_now(call_args->fd).flags) {
			ASSERT_NE(0, result);
			ASSERT_OK(stop(call_args->fd, NULL));
		}
		ASSERT_FALSE(has_session(call_args->fd));
	}
	check_faults(&made, 2);
	EXPECT_TRUE(wait_for_nothing_left(1));
}

#endif /* PROFIL_TEST_FAULTS_H */
