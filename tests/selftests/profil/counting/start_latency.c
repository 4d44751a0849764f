// SPDX-License-Identifier: GPL-2.0-only
/*
 * Durations of calls. Needs machine_counts().
 */
#include "harness.h"

#define ROUNDS 100

/*
 * A call that waits for an RCU grace period takes a tick at least. The
 * machine's time is the time of its instructions, so the host does not affect
 * the result.
 */
static void check_rounds(struct __test_metadata *_metadata,
			 const profil_data *self, __u64 period_ns)
{
	__u64 starts = 0, stops = 0, tick = tick_ns(self->fd);
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		__u64 begin = wall_ns(), between;

		ASSERT_OK(start_sites(self->fd, self->counters, 4, period_ns));
		between = wall_ns();
		ASSERT_OK(stop(self->fd, NULL));
		starts += between - begin;
		stops += wall_ns() - between;
	}
	TH_LOG("period %llu us: START %llu ns, STOP %llu ns",
	       period_ns / NSEC_PER_USEC, starts / ROUNDS, stops / ROUNDS);
	EXPECT_GT(tick / 8, starts / ROUNDS);
	EXPECT_GT(tick / 8, stops / ROUNDS);
}

TEST_F(profil, start_and_stop_wait_for_no_grace_period)
{
	/* the first START also hooks the kernel */
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_OK(stop(self->fd, NULL));
	check_rounds(_metadata, self, 0);
	check_rounds(_metadata, self, FAST_NS);
}

TEST_HARNESS_MAIN
