// SPDX-License-Identifier: GPL-2.0-only
/*
 * Results that the calls write into their arguments.
 */
#include "harness.h"

#include <sys/stat.h>

#include "attempt.h"

TEST_F(profil, version_describes_the_driver)
{
	struct profil_version answer = version_blank();
	char text[32];

	ASSERT_OK(version(self->fd, &answer));
	EXPECT_EQ(sizeof(answer), answer.size);
	EXPECT_EQ(PROFIL_ABI, answer.abi);
	EXPECT_EQ(PROFIL_MAX_REGIONS, answer.max_regions);
	EXPECT_EQ(PROFIL_F_STOP_AT_32767 | PROFIL_F_ROUND_UP |
			  PROFIL_F_USER_ONLY | PROFIL_F_BYTES,
		  answer.start_flags);
	EXPECT_EQ(PROFIL_REGION_OVERFLOW | PROFIL_REGION_SPLIT,
		  answer.region_flags);
	EXPECT_EQ(PROFIL_ATTACH_CHILDREN, answer.attach_flags);
	EXPECT_LE(PROFIL_CLOCK_FTRACE, answer.clock);
	EXPECT_GE(PROFIL_CLOCK_TIMER, answer.clock);
	EXPECT_EQ(0, answer.reserved);
	/* HZ is between 24, on old Alphas, and 1024. */
	EXPECT_LE(NSEC_PER_SEC / 1024, answer.tick_ns);
	EXPECT_GE(NSEC_PER_SEC / 24, answer.tick_ns);
	ASSERT_OK(param_read("min_period_us", text, sizeof(text)));
	EXPECT_EQ(strtoull(text, NULL, 0) * NSEC_PER_USEC,
		  answer.min_period_ns);
}

TEST_F(profil, device_mode_is_0666)
{
	struct stat seen;

	ASSERT_OK(stat(PROFIL_DEVICE, &seen));
	EXPECT_TRUE(S_ISCHR(seen.st_mode));
	EXPECT_EQ(0666, seen.st_mode & 07777);
}

TEST_F(profil, start_writes_back_only_the_period)
{
	struct profil_region region = sites_region(self->counters, 2);
	struct profil_start args = start_of(&region, 1, 2, 0), before = args;

	ASSERT_OK(start(self->fd, &args));
	EXPECT_EQ(tick_ns(self->fd), args.period_ns);
	args.period_ns = before.period_ns;
	EXPECT_EQ(0, memcmp(&before, &args, sizeof(args)));
}

static bool defined(const struct profil_stats *seen)
{
	return seen->flags != POISON_U32 && seen->nr_regions != POISON_U32 &&
	       seen->period_ns != POISON_U64 && seen->samples != POISON_U64 &&
	       seen->hits != POISON_U64 && seen->outside != POISON_U64 &&
	       seen->lost != POISON_U64 && seen->saturated != POISON_U64 &&
	       seen->kernel_samples != POISON_U64 &&
	       seen->pinned_pages != POISON_U64 &&
	       seen->unprofiled_children != POISON_U64;
}

TEST_F(profil, stats_writes_every_field)
{
	__u32 states[2] = { POISON_U32, POISON_U32 };
	struct profil_stats seen = stats_blank(states, 2);

	ASSERT_OK(start_sites(self->fd, self->counters, 2, 0));
	ASSERT_OK(stats(self->fd, &seen));
	EXPECT_TRUE(defined(&seen));
	EXPECT_EQ(sizeof(seen), seen.size);
	EXPECT_EQ(PROFIL_STATS_SESSION, seen.flags);
	EXPECT_EQ(2, seen.nr_states);
	EXPECT_EQ(1, seen.nr_regions);
	EXPECT_EQ(0, seen.unprofiled_children);
	EXPECT_EQ((uintptr_t)states, seen.states);
	EXPECT_EQ(tick_ns(self->fd), seen.period_ns);
	EXPECT_EQ(1, seen.pinned_pages);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(PROFIL_REGION_ON, states[0]);
	EXPECT_EQ(POISON_U32, states[1]);
}

static void expect_zeros(struct __test_metadata *_metadata,
			 const struct profil_stats *seen, const __u32 *states)
{
	struct profil_stats zero = { .size = sizeof(zero), .nr_states = 1 };

	zero.states = (uintptr_t)states;
	EXPECT_EQ(0, memcmp(&zero, seen, sizeof(zero)));
	EXPECT_EQ(POISON_U32, *states);
}

TEST_F(profil, stats_and_stop_without_a_session_write_zeros)
{
	__u32 states[1] = { POISON_U32 };
	struct profil_stats seen = stats_blank(states, 1);

	ASSERT_OK(stats(self->fd, &seen));
	expect_zeros(_metadata, &seen, states);
	seen = stats_blank(states, 1);
	ASSERT_OK(stop(self->fd, &seen));
	expect_zeros(_metadata, &seen, states);
	EXPECT_OK(stop(self->fd, NULL));
}

TEST_F(profil, states_are_not_written_without_room)
{
	struct profil_stats seen;

	ASSERT_OK(start_sites(self->fd, self->counters, 2, 0));
	seen = stats_blank((__u32 *)HOLE, 0);
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(1, seen.nr_regions);
	seen = stats_blank(NULL, 7);
	EXPECT_OK(stats(self->fd, &seen));
	EXPECT_EQ(7, seen.nr_states);
	EXPECT_EQ(1, seen.nr_regions);
}

TEST_F(profil, every_width_counts)
{
	void *counters = self->counters;
	__u32 width;

	for (width = 2; width <= 8; width *= 2) {
		struct profil_stats seen = stats_blank(NULL, 0);

		memset(counters, 0, page_size());
		ASSERT_OK(start_sites(self->fd, counters, width, FAST_NS));
		EXPECT_TRUE(spin_until(9, counters, width, 2));
		ASSERT_OK(stop(self->fd, &seen));
		EXPECT_TRUE(adds_up(&seen));
		EXPECT_EQ(seen.hits, counter(counters, width, 9));
		EXPECT_EQ(seen.hits,
			  counters_sum(self->counters, width, NR_SITES));
	}
}

TEST_HARNESS_MAIN
