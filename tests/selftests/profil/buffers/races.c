// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads hit the counters while the counters' page is replaced. The driver
 * must not write to the new page.
 */
#include "two_regions.h"

#include <sys/mman.h>

static void race(struct __test_metadata *_metadata, const profil_data *self,
		 int (*take_away)(char *at))
{
	struct pair pair = { new_pages(page_size()), self->counters };
	__u64 until = wall_ns() + 1500 * NSEC_PER_MSEC;
	unsigned int rounds = 0;

	ASSERT_OK(busy_threads_begin(2, 1, false));
	while (wall_ns() < until && !_metadata->exit_code) {
		memset(pair.first, 0, page_size());
		EXPECT_OK(start_pair(self->fd, &pair));
		while (counter(pair.first, 4, 1) < 2)
			sleep_ns(FAST_NS);
		EXPECT_OK(take_away(pair.first));
		memset(pair.first, POISON, page_size());
		sleep_ns(2 * FAST_NS);
		EXPECT_TRUE(all_bytes(pair.first, POISON, page_size()));
		EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
		rounds++;
	}
	TH_LOG("%u rounds", rounds);
	busy_threads_end();
}

static int by_mmap(char *at)
{
	return map_over(at) == at ? 0 : -errno;
}

static int by_munmap(char *at)
{
	return munmap(at, page_size()) ? -errno : by_mmap(at);
}

static int by_mremap(char *at)
{
	char *moved = mremap(at, page_size(), page_size(),
			     MREMAP_MAYMOVE | MREMAP_FIXED,
			     new_pages(page_size()));
	__u64 hits;

	if (moved == MAP_FAILED)
		return -errno;
	hits = counter(moved, 4, 1);
	sleep_ns(FAST_NS);
	if (counter(moved, 4, 1) != hits || munmap(moved, page_size()))
		return 1;
	return by_mmap(at);
}

TEST_F(profil, mmap_over_hot_counters_is_safe)
{
	race(_metadata, self, by_mmap);
}

TEST_F(profil, munmap_of_hot_counters_is_safe)
{
	race(_metadata, self, by_munmap);
}

TEST_F(profil, mremap_of_hot_counters_is_safe)
{
	race(_metadata, self, by_mremap);
}

/* Memory that mprotect() has made read-only must not change either. */
static int by_mprotect(char *at)
{
	__u64 hits;

	if (mprotect(at, page_size(), PROT_READ))
		return -errno;
	hits = counter(at, 4, 1);
	sleep_ns(FAST_NS);
	if (counter(at, 4, 1) != hits)
		return 1;
	return by_mmap(at);
}

TEST_F(profil, mprotect_of_hot_counters_is_safe)
{
	race(_metadata, self, by_mprotect);
}

TEST_HARNESS_MAIN
