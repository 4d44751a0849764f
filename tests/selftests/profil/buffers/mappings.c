// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes of the memory of counters. A region ends when its memory is unmapped, moved,
 * mapped over or protected, and the process and the other region continue. Counting
 * continues while the kernel replaces the pages of the counters.
 */
#include "two_regions.h"

#include <inttypes.h>

/*
 * Changes that end the region of a page. After a change the page may be mapped again.
 */
enum change { UNMAP, MOVE, READ_ONLY, NO_ACCESS, NOTHING, CHANGES };

/* Where MOVE has put the counters */
static char *moved;

static int change_page(enum change change, char *at)
{
	size_t page = page_size();

	switch (change) {
	case UNMAP:
		return munmap(at, page);
	case MOVE:
		moved = mremap(at, page, page, MREMAP_MAYMOVE | MREMAP_FIXED,
			       new_pages(page));
		return moved == MAP_FAILED;
	case READ_ONLY:
		return mprotect(at, page, PROT_READ);
	case NO_ACCESS:
		return mprotect(at, page, PROT_NONE);
	default:
		return 0;
	}
}

/* A region whose memory is protected ends at the next hit. */
static void check_change(const profil_data *self, enum change change,
			 bool map_again)
{
	struct pair pair = new_pair(self);
	__u64 hits = counter(pair.first, 4, 1);
	__u32 state = map_again || change == UNMAP || change == MOVE ?
			      PROFIL_REGION_UNMAPPED :
			      PROFIL_REGION_FAULT;

	ASSERT_OK(change_page(change, pair.first));
	if (map_again)
		ASSERT_EQ((void *)pair.first, map_zeros(pair.first));
	if (map_again && change != NOTHING)
		memset(pair.first, POISON, page_size());
	while (state == PROFIL_REGION_FAULT &&
	       region_state(self->fd, 0) == PROFIL_REGION_ON)
		spin(1, FAST_NS);
	EXPECT_EQ(state, region_state(self->fd, 0));
	if (state == PROFIL_REGION_FAULT)
		ASSERT_OK(mprotect(pair.first, page_size(),
				   PROT_READ | PROT_WRITE));
	check_ended(self, &pair, hits, state);
	if (map_again) {
		EXPECT_TRUE(all_bytes(pair.first,
				      change == NOTHING ? 0 : POISON,
				      page_size()));
	} else if (change != UNMAP) {
		EXPECT_EQ(hits,
			  counter(change == MOVE ? moved : pair.first, 4, 1));
	}
}

TEST_F(profil, changes_of_memory_end_only_the_region)
{
	enum change change;

	for (change = 0; change < CHANGES; change++) {
		if (change != NOTHING)
			check_change(self, change, false);
		check_change(self, change, true);
		ASSERT_EQ(0, _metadata->exit_code)
		{
			TH_LOG("change %d", change);
		}
	}
}

/* The first counters end where memory is unmapped, and the second begin behind it. */
TEST_F(profil, munmap_of_adjacent_pages_ends_no_region)
{
	size_t page = page_size(), half = NR_SITES / 2 * 4;
	char *pages = new_pages(5 * page);
	struct pair pair = { pages + 2 * page - half, pages + 3 * page };

	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_OK(munmap(pages, page));
	ASSERT_OK(munmap(pages + 2 * page, page));
	ASSERT_OK(munmap(pages + 4 * page, page));
	check_still_counts(self, &pair);
}

TEST_F(profil, munmap_of_one_page_ends_the_whole_region)
{
	size_t page = page_size();
	char *buffer = new_pages(LARGE);

	ASSERT_OK(start_buffer(self->fd, buffer, LARGE, PAGE_SCALE));
	spin(10, 10 * FAST_NS);
	ASSERT_OK(munmap(buffer + 50 * page, page));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	EXPECT_TRUE(all_bytes(buffer + 11 * page, 0, page));
	EXPECT_TRUE(spin_until_samples(self->fd, 11, 5));
	EXPECT_TRUE(all_bytes(buffer + 11 * page, 0, page));
}

/*
 * The counters' page is dropped repeatedly, so that samples are deferred and
 * the worker pins the page while the region is unmapped. Return the region's
 * state.
 */
static __u32 state_after_unmapping(int fd)
{
	size_t size = 300 * page_size();
	char *counters = new_pages(size);
	__u32 state = POISON_U32;
	struct profil_stats seen = stats_blank(&state, 1);
	__u64 until = wall_ns() + 300000;

	if (start_one(fd,
		      region_of(counters, size, profil_sites, SITE_SCALE(8)), 8,
		      100000, 0))
		return POISON_U32;
	while (wall_ns() < until)
		madvise(counters, page_size(), MADV_DONTNEED);
	munmap(counters, size);
	stop(fd, &seen);
	return state;
}

TEST_F(profil, region_unmapped_while_samples_are_deferred_is_unmapped)
{
	__u64 until = wall_ns() + 5 * NSEC_PER_SEC;
	unsigned int round;

	ASSERT_OK(busy_threads_begin(1, 1, false));
	for (round = 0; round < 2000 && wall_ns() < until; round++)
		ASSERT_EQ(PROFIL_REGION_UNMAPPED,
			  state_after_unmapping(self->fd));
	busy_threads_end();
	TH_LOG("%u rounds", round);
}

/* Pages of the counters that the kernel replaces */
TEST_F(profil, counting_continues_after_each_madv_dontneed)
{
	struct pair pair = new_pair(self);
	__u64 until;

	ASSERT_TRUE(spin_until(1, pair.first, 4, 200));
	ASSERT_OK(madvise(pair.first, page_size(), MADV_DONTNEED));
	EXPECT_GT(100, counter(pair.first, 4, 1));
	check_still_counts(self, &pair);
	EXPECT_LE(205, stats_now(self->fd).hits);
	until = wall_ns() + NSEC_PER_SEC;
	for (unsigned int round = 0; wall_ns() < until; round++) {
		spin(1, FAST_NS);
		ASSERT_OK(madvise(pair.first, page_size(), MADV_DONTNEED));
		/* STATS makes the driver record deferred samples */
		if (round % 32 == 31)
			stats_now(self->fd);
	}
	check_still_counts(self, &pair);
}

TEST_F(profil, counting_continues_through_other_advice)
{
	static const int advice[] = { MADV_FREE, MADV_COLD, MADV_PAGEOUT,
				      MADV_MERGEABLE, MADV_DONTFORK };

	for (size_t i = 0; i < ARRAY_LENGTH(advice); i++) {
		struct pair pair = new_pair(self);

		if (madvise(pair.first, page_size(), advice[i]))
			TH_LOG("advice %d is not supported", advice[i]);
		check_still_counts(self, &pair);
		ASSERT_OK(stop(self->fd, NULL));
	}
}

TEST_F(profil, counting_continues_while_writable)
{
	struct pair pair = new_pair(self);

	ASSERT_OK(mprotect(pair.first, page_size(),
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	check_still_counts(self, &pair);
	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ | PROT_WRITE));
	check_still_counts(self, &pair);
	check_all_hits(self, &pair);
}

TEST_F(profil, counting_continues_through_compaction)
{
	struct pair pair = new_pair(self);

	if (write_text("/proc/sys/vm/compact_memory", "1"))
		SKIP(return, "no compaction");
	check_still_counts(self, &pair);
	check_all_hits(self, &pair);
}

/*
 * Counters above the stack and all other mappings: no mapping is behind them.
 */

/* The end of the last mapping of this process, but for x86's [vsyscall] */
static char *end_of_mappings(void)
{
	uintptr_t end, last = 0;
	char line[512];

	FOR_EACH_LINE("/proc/self/maps", line)
	{
		if (sscanf(line, "%*x-%" SCNxPTR, &end) == 1 &&
		    end < UINTPTR_MAX / 2)
			last = end;
	}
	return (char *)last;
}

TEST_F(profil, large_buffer_behind_the_last_mapping_is_refused)
{
	char *end = end_of_mappings();

	ASSERT_NE(NULL, end);
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, end + MIB, LARGE, 0x10000));
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

TEST_F(profil, child_lacks_the_last_mapping)
{
	void *counters = mmap(end_of_mappings() + MIB, page_size(),
			      PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE,
			      -1, 0);

	if (counters == MAP_FAILED)
		SKIP(return, "no room above the stack");
	ASSERT_OK(madvise(counters, page_size(), MADV_DONTFORK));
	ASSERT_OK(start_sites(self->fd, counters, 4, FAST_NS));
	EXPECT_TRUE(exited_with(IN_CHILD(region_state(self->fd, 0)),
				PROFIL_REGION_UNMAPPED));
	EXPECT_TRUE(spin_until(1, counters, 4, 1));
}

/*
 * Two threads hit the counters while the counters' page is changed. The driver must
 * not write to memory that is mapped in its place, to counters that have moved, or to
 * those that mprotect() has made read-only.
 */
static void race(const profil_data *self, enum change change)
{
	struct pair pair = { new_pages(page_size()), self->counters };
	__u64 until = wall_ns() + NSEC_PER_SEC;
	unsigned int rounds = 0;

	while (wall_ns() < until && !_metadata->exit_code) {
		const char *kept = pair.first;
		__u64 hits;

		memset(pair.first, 0, page_size());
		EXPECT_OK(start_pair(self->fd, &pair));
		while (counter(pair.first, 4, 1) < 2)
			sleep_ns(FAST_NS);
		EXPECT_OK(change_page(change, pair.first));
		if (change == MOVE)
			kept = moved;
		if (change == MOVE || change == READ_ONLY) {
			hits = counter(kept, 4, 1);
			sleep_ns(FAST_NS);
			EXPECT_EQ(hits, counter(kept, 4, 1));
		}
		EXPECT_EQ((void *)pair.first, map_zeros(pair.first));
		memset(pair.first, POISON, page_size());
		sleep_ns(2 * FAST_NS);
		EXPECT_TRUE(all_bytes(pair.first, POISON, page_size()));
		EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
		rounds++;
	}
	TH_LOG("change %d: %u rounds", change, rounds);
}

TEST_F(profil, changes_of_hot_counters_are_safe)
{
	enum change change;

	ASSERT_OK(busy_threads_begin(2, 1, false));
	for (change = 0; change < CHANGES; change++)
		if (change != NO_ACCESS)
			race(self, change);
	busy_threads_end();
}

TEST_HARNESS_MAIN
