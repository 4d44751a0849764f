// SPDX-License-Identifier: GPL-2.0-only
/*
 * Full counters stay full, or end the session if START has asked for that. A counter
 * that the program changes meanwhile loses no increment.
 */
#include "harness.h"

#define NEAR 5 /* hits before the counter is full */

static __u64 fullest(__u32 width)
{
	return UINT64_MAX >> (64 - 8 * width);
}

static void preset(void *counters, __u32 width, size_t index, __u64 value)
{
	/* the machine is little-endian, see common.c */
	memcpy((char *)counters + index * width, &value, width);
}

/* Spin at site 3 until the session has @hits, or has ended. */
static bool hit(int fd, __u64 hits)
{
	struct profil_stats seen;

	return EVENTUALLY((seen = stats_now(fd)).hits >= hits ||
				  seen.flags & PROFIL_STATS_FULL,
			  spin(3, NSEC_PER_MSEC));
}

/* The counter never decreases while two threads fill it. */
static void check_never_falls(int fd, const void *counters, __u32 width)
{
	__u64 until = wall_ns() + TIMEOUT_NS, last = 0;

	do {
		__u64 round, now;

		for (round = 0; round < 10000; round++) {
			now = counter(counters, width, 3);
			ASSERT_LE(last, now);
			last = now;
		}
		ASSERT_GT(until, wall_ns());
	} while (stats_now(fd).saturated < 200);
}

TEST_F(profil, cpus_sharing_a_full_counter_never_wrap_it)
{
	for (__u32 width = 2; width <= 8; width *= 2) {
		struct profil_stats seen;

		preset(self->counters, width, 3, fullest(width) - 100);
		ASSERT_OK(start_sites(self->fd, self->counters, width,
				      100 * NSEC_PER_USEC));
		ASSERT_OK(busy_threads_begin(2, 3, false));
		check_never_falls(self->fd, self->counters, width);
		busy_threads_end();
		seen = end_session(self->fd);
		EXPECT_EQ(fullest(width), counter(self->counters, width, 3));
		EXPECT_EQ(seen.hits - 100, seen.saturated);
		EXPECT_EQ(0, counter(self->counters, width, 2));
		EXPECT_EQ(0, counter(self->counters, width, 4));
		EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
		memset(self->counters, 0, page_size());
	}
}

/* SVR4 ends profiling when a counter reaches 32767. */
static int start_to_32767(int fd, void *counters, __u32 width)
{
	return start_one(fd, sites_region(counters, width), width, FAST_NS,
			 PROFIL_F_STOP_AT_32767);
}

/* The session has ended by a full counter with @hits, and does not change. */
static void check_full(const profil_data *self, __u32 width, __u64 hits)
{
	struct profil_stats seen = stats_now(self->fd), then;

	EXPECT_EQ(PROFIL_STATS_SESSION | PROFIL_STATS_FULL, seen.flags);
	EXPECT_EQ(hits, seen.hits);
	EXPECT_TRUE(adds_up(&seen));
	spin(3, 20 * FAST_NS);
	spin(4, 20 * FAST_NS);
	EXPECT_EQ(0, counter(self->counters, width, 4));
	then = stats_now(self->fd);
	EXPECT_EQ(0, memcmp(&seen, &then, sizeof(seen)));
	then = stats_blank(NULL, 0);
	ASSERT_OK(stop(self->fd, &then));
	EXPECT_EQ(PROFIL_STATS_SESSION | PROFIL_STATS_FULL, then.flags);
	EXPECT_EQ(seen.samples, then.samples);
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

TEST_F(profil, counter_at_32767_ends_the_session_when_asked)
{
	for (__u32 width = 2; width <= 8; width *= 2) {
		memset(self->counters, 0, page_size());
		preset(self->counters, width, 3, 32767 - NEAR);
		ASSERT_OK(start_to_32767(self->fd, self->counters, width));
		EXPECT_TRUE(hit(self->fd, NEAR));
		EXPECT_EQ(32767, counter(self->counters, width, 3));
		EXPECT_EQ(0, stats_now(self->fd).saturated);
		check_full(self, width, NEAR);
	}
}

/* The counter is full before START: the first hit ends the session. */
TEST_F(profil, counter_above_32767_ends_the_session_unchanged)
{
	static const __u64 values[] = { 32767, 32768, 40000, 65535 };

	for (size_t i = 0; i < ARRAY_LENGTH(values); i++) {
		__u32 width = 2U << (i % 3);

		memset(self->counters, 0, page_size());
		preset(self->counters, width, 3, values[i]);
		ASSERT_OK(start_to_32767(self->fd, self->counters, width));
		EXPECT_TRUE(hit(self->fd, 1));
		EXPECT_EQ(values[i], counter(self->counters, width, 3));
		EXPECT_EQ(1, stats_now(self->fd).saturated);
		check_full(self, width, 1);
	}
}

TEST_F(profil, session_ended_by_a_full_counter_can_be_replaced)
{
	preset(self->counters, 2, 3, 32766);
	ASSERT_OK(start_to_32767(self->fd, self->counters, 2));
	EXPECT_TRUE(hit(self->fd, 1));
	EXPECT_EQ(32767, counter(self->counters, 2, 3));
	ASSERT_OK(start_sites(self->fd, self->counters, 2, FAST_NS));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	EXPECT_TRUE(spin_until(3, self->counters, 2, 32770));
}

/* In SVR4, too, profiling is off for the child, as it is for its parent. */
TEST_F(profil, child_of_a_full_session_has_none)
{
	preset(self->counters, 2, 3, 32766);
	ASSERT_OK(start_to_32767(self->fd, self->counters, 2));
	EXPECT_TRUE(hit(self->fd, 1));
	EXPECT_TRUE(PASSES_IN_CHILD(({
		EXPECT_EQ(0, stats_now(self->fd).flags);
		spin(4, 20 * FAST_NS);
		EXPECT_EQ(0, counter(self->counters, 2, 4));
	})));
	EXPECT_EQ(0, stats_now(self->fd).unprofiled_children);
	check_full(self, 2, 1);
}

/*
 * A counter that the program changes all the time, on another CPU, while samples
 * are counted in it: no increment is lost, neither the driver's nor the program's.
 * Where the driver finds the counter changed in each of its attempts, the sample
 * is deferred, and lost after further attempts.
 */
#define HITS 1000
#define SWING 1000 /* increments before as many decrements */

/* A thread that changes a counter: by 0 in the end */
struct changer {
	void *counter;
	__u32 width;
	bool over;
};

static void add(void *counter, __u32 width, int change)
{
	switch (width) {
	case 2:
		__atomic_fetch_add((__u16 *)counter, change, __ATOMIC_RELAXED);
		break;
	case 4:
		__atomic_fetch_add((__u32 *)counter, change, __ATOMIC_RELAXED);
		break;
	default:
		__atomic_fetch_add((__u64 *)counter, change, __ATOMIC_RELAXED);
	}
}

/* Between two instructions of the driver the value never becomes the same again. */
static void *change_counter(void *argument)
{
	const struct changer *changer = argument;

	while (!__atomic_load_n(&changer->over, __ATOMIC_RELAXED)) {
		for (unsigned int i = 0; i < SWING; i++)
			add(changer->counter, changer->width, 1);
		for (unsigned int i = 0; i < SWING; i++)
			add(changer->counter, changer->width, -1);
	}
	return NULL;
}

static void check_width(const profil_data *self, __u32 width)
{
	struct changer changer = { (char *)self->counters + 3 * width, width,
				   false };
	struct profil_stats seen;
	pthread_t thread;

	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, width,
			      100 * NSEC_PER_USEC));
	ASSERT_OK(pthread_create(&thread, NULL, change_counter, &changer));
	EXPECT_TRUE(spin_until_hits(self->fd, 3, HITS));
	__atomic_store_n(&changer.over, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	seen = end_session(self->fd);
	EXPECT_EQ(0, seen.saturated);
	EXPECT_EQ(seen.hits, counter(self->counters, width, 3));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, width, NR_SITES));
}

TEST_F(profil, no_increment_is_lost_beside_those_of_the_program)
{
	for (__u32 width = 2; width <= 8; width *= 2)
		check_width(self, width);
}

TEST_HARNESS_MAIN
