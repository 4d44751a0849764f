// SPDX-License-Identifier: GPL-2.0-only
/*
 * Lists of regions: the longest, and their states. tests/unit tries the region and the
 * counter of each PC, in lists of every kind.
 */
#include "harness.h"

/* Each byte of text has a region of one counter. */
TEST_F(profil, maximum_number_of_regions_works)
{
	static struct profil_region regions[PROFIL_MAX_REGIONS];
	static __u16 counters[PROFIL_MAX_REGIONS];
	struct profil_start args =
		start_of(regions, PROFIL_MAX_REGIONS, 2, FAST_NS);
	struct profil_stats seen = stats_blank(NULL, 0);
	size_t i, place = 37 * SITE_BYTES;

	ASSERT_EQ(PROFIL_MAX_REGIONS, SITES_BYTES);
	for (i = 0; i < PROFIL_MAX_REGIONS; i++)
		/* 2531 and 4096 are coprime: every i occurs once */
		regions[i] = region_of(&counters[i], 2,
				       profil_sites + i * 2531 % SITES_BYTES,
				       0x10000);
	ASSERT_OK(start(self->fd, &args));
	EXPECT_TRUE(spin_until_hits(self->fd, 37, 5));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(PROFIL_MAX_REGIONS, seen.nr_regions);
	EXPECT_LE(5, seen.hits);
	EXPECT_EQ(seen.hits, counters_sum(counters, 2, PROFIL_MAX_REGIONS));
	for (i = 0; i < PROFIL_MAX_REGIONS; i++)
		EXPECT_TRUE(!counters[i] ||
			    i * 2531 % SITES_BYTES - place < SITE_BYTES);
}

TEST_F(profil, states_follow_the_order_of_the_list)
{
	static const __u32 expected[5] = { PROFIL_REGION_ON, PROFIL_REGION_OFF,
					   PROFIL_REGION_OFF, PROFIL_REGION_ON,
					   PROFIL_REGION_ON };
	struct profil_region regions[5];
	struct profil_start args;

	for (unsigned int i = 0; i < 5; i++)
		regions[i] = region_of((__u32 *)self->counters + 4 * i, 16,
				       site(50 - 10 * i), SITE_SCALE(4));
	regions[1].scale = 1;
	regions[2].size = 3;
	regions[3].flags = PROFIL_REGION_OVERFLOW;
	regions[4].scale = UINT32_MAX;
	args = start_of(regions, 5, 4, 0);
	ASSERT_OK(start(self->fd, &args));
	for (__u32 room = 0; room < 8; room++) {
		__u32 states[8], nr = room < 5 ? room : 5;
		size_t filled = nr * sizeof(*states);
		struct profil_stats seen = stats_blank(states, room);

		memset(states, POISON, sizeof(states));
		ASSERT_OK(stats(self->fd, &seen));
		EXPECT_EQ(5, seen.nr_regions);
		EXPECT_EQ(0, memcmp(states, expected, filled));
		EXPECT_TRUE(all_bytes(states + nr, POISON,
				      sizeof(states) - filled));
	}
}

TEST_F(profil, states_of_a_long_list_are_complete)
{
	static struct profil_region regions[PROFIL_MAX_REGIONS];
	static __u32 states[PROFIL_MAX_REGIONS + 1];
	struct profil_start args = start_of(regions, PROFIL_MAX_REGIONS, 2, 0);
	struct profil_stats seen = stats_blank(states, PROFIL_MAX_REGIONS + 1);

	for (size_t i = 0; i < PROFIL_MAX_REGIONS; i++)
		regions[i] = region_of(self->counters, 2, site(0),
				       i % 3 ? 0x10000 : 0);
	ASSERT_OK(start(self->fd, &args));
	memset(states, POISON, sizeof(states));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(PROFIL_MAX_REGIONS, seen.nr_regions);
	for (size_t i = 0; i < PROFIL_MAX_REGIONS; i++)
		ASSERT_EQ(i % 3 ? PROFIL_REGION_ON : PROFIL_REGION_OFF,
			  states[i]);
	EXPECT_EQ(POISON_U32, states[PROFIL_MAX_REGIONS]);
}

TEST_HARNESS_MAIN
