// SPDX-License-Identifier: GPL-2.0-only
/*
 * A counter that the program changes all the time, on another CPU, while samples
 * are counted in it: no increment is lost, neither the driver's nor the program's.
 * Where the driver finds the counter changed in each of its attempts, the sample
 * is deferred, and lost after further attempts.
 */
#include "harness.h"

#include <pthread.h>

#define HITS 2000
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
	unsigned int i;

	while (!__atomic_load_n(&changer->over, __ATOMIC_RELAXED)) {
		for (i = 0; i < SWING; i++)
			add(changer->counter, changer->width, 1);
		for (i = 0; i < SWING; i++)
			add(changer->counter, changer->width, -1);
	}
	return NULL;
}

static void check_width(struct __test_metadata *_metadata,
			const profil_data *self, __u32 width)
{
	struct changer changer = { (char *)self->counters + 3 * width, width,
				   false };
	struct profil_stats seen = stats_blank(NULL, 0);
	pthread_t thread;

	memset(self->counters, 0, page_size());
	ASSERT_OK(start_sites(self->fd, self->counters, width,
			      100 * NSEC_PER_USEC));
	ASSERT_OK(pthread_create(&thread, NULL, change_counter, &changer));
	EXPECT_TRUE(spin_until_hits(self->fd, 3, HITS));
	__atomic_store_n(&changer.over, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.saturated);
	EXPECT_EQ(seen.hits, counter(self->counters, width, 3));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, width, NR_SITES));
}

TEST_F(profil, no_increment_is_lost_beside_those_of_the_program)
{
	__u32 width;

	for (width = 2; width <= 8; width *= 2)
		check_width(_metadata, self, width);
}

TEST_HARNESS_MAIN
