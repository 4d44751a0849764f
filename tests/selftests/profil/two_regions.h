/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session with two regions, each in a mapping of its own: region 0 counts
 * sites 0 to 31, region 1 sites 32 to 63. A test changes the memory of region
 * 0.
 */
#ifndef PROFIL_TEST_TWO_REGIONS_H
#define PROFIL_TEST_TWO_REGIONS_H

#include "harness.h"

#include "buffer.h"

struct pair {
	char *first;
	char *second;
};

static inline int start_pair(int fd, const struct pair *pair)
{
	size_t half = NR_SITES / 2 * 4;
	struct profil_region regions[2] = {
		region_of(pair->first, half, site(0), SITE_SCALE(4)),
		region_of(pair->second, half, site(32), SITE_SCALE(4)),
	};
	struct profil_start args = start_of(regions, 2, 4, FAST_NS);

	return start(fd, &args);
}

static inline struct pair new_pair(const profil_data *self)
{
	struct pair pair = { new_pages(page_size()), new_pages(page_size()) };

	EXPECT_OK(start_pair(self->fd, &pair));
	EXPECT_TRUE(spin_until(1, pair.first, 4, 3));
	return pair;
}

/* Region 1 still counts. */
static inline void check_second(const profil_data *self,
				const struct pair *pair)
{
	__u64 now = counter(pair->second, 4, 1);

	EXPECT_TRUE(hit_until(self->fd, 33, pair->second + 4, 4, now + 2));
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 1));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
}

/* Region 0 is in @state with @hits, and does not count; region 1 does. */
static inline void check_ended(const profil_data *self, const struct pair *pair,
			       __u64 hits, __u32 state)
{
	struct profil_stats seen;

	EXPECT_TRUE(spin_until_samples(self->fd, 1, 5));
	EXPECT_EQ(state, region_state(self->fd, 0));
	check_second(self, pair);
	seen = stats_now(self->fd);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(hits + counter(pair->second, 4, 1), seen.hits);
	EXPECT_TRUE(wait_for_pinned(self->fd, 1));
}

/* Both regions still count, and no sample was lost. */
static inline void check_still_counts(const profil_data *self,
				      const struct pair *pair)
{
	__u64 now = counter(pair->first, 4, 1);
	struct profil_stats seen;

	EXPECT_TRUE(hit_until(self->fd, 1, pair->first + 4, 4, now + 5));
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
	check_second(self, pair);
	seen = stats_now(self->fd);
	EXPECT_EQ(0, seen.lost);
	EXPECT_TRUE(wait_for_pinned(self->fd, 2));
}

/* Each hit of both regions was at the sites of these tests. */
static inline void check_all_hits(const profil_data *self,
				  const struct pair *pair)
{
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair->first, 4, 1) + counter(pair->second, 4, 1));
}

#endif /* PROFIL_TEST_TWO_REGIONS_H */
