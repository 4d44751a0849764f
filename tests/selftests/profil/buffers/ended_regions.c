// SPDX-License-Identifier: GPL-2.0-only
/*
 * A region ends when its memory is unmapped, moved, mapped over or protected.
 * The process and the other region continue.
 */
#include "two_regions.h"

#include <pthread.h>
#include <sys/mman.h>

TEST_F(profil, munmap_ends_only_the_region)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits = counter(pair.first, 4, 1);

	ASSERT_OK(munmap(pair.first, page_size()));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
}

TEST_F(profil, munmap_of_adjacent_pages_ends_no_region)
{
	size_t page = page_size();
	char *pages = new_pages(5 * page);
	struct pair pair = { pages + page, pages + 3 * page };

	ASSERT_NE(NULL, pages);
	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_OK(munmap(pages, page));
	ASSERT_OK(munmap(pages + 2 * page, page));
	ASSERT_OK(munmap(pages + 4 * page, page));
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 1));
	EXPECT_TRUE(spin_until(1, pair.first, 4, 3));
	check_second(_metadata, self, &pair);
}

TEST_F(profil, munmap_of_one_page_ends_the_whole_region)
{
	size_t page = page_size();
	char *buffer = new_pages(LARGE);

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(start_buffer(self->fd, buffer, LARGE, PAGE_SCALE));
	spin(10, 10 * FAST_NS);
	ASSERT_OK(munmap(buffer + 50 * page, page));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	EXPECT_TRUE(all_bytes(buffer + 11 * page, 0, page));
	EXPECT_TRUE(spin_until_samples(self->fd, 11, 5));
	EXPECT_TRUE(all_bytes(buffer + 11 * page, 0, page));
}

/* A thread's function: spin at site @argument until the process ends. */
static void *spin_without_end(void *argument)
{
	for (;;)
		spin((unsigned int)(uintptr_t)argument, NSEC_PER_SEC);
	return NULL;
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
	struct profil_region region =
		region_of(counters, size, profil_sites, SITE_SCALE(8));
	struct profil_start args = start_of(&region, 1, 8, 100000);
	__u32 state = POISON_U32;
	struct profil_stats seen = stats_blank(&state, 1);
	__u64 until = wall_ns() + 300000;

	if (!counters || start(fd, &args))
		return POISON_U32;
	while (wall_ns() < until)
		madvise(counters, page_size(), MADV_DONTNEED);
	munmap(counters, size);
	stop(fd, &seen);
	return state;
}

TEST_F(profil, region_unmapped_while_samples_are_deferred_is_unmapped)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	unsigned int round;
	pthread_t thread;

	ASSERT_OK(pthread_create(&thread, NULL, spin_without_end, (void *)1));
	for (round = 0; round < 2000 && wall_ns() < until; round++)
		ASSERT_EQ(PROFIL_REGION_UNMAPPED,
			  state_after_unmapping(self->fd));
}

TEST_F(profil, memory_mapped_in_place_of_counters_is_never_written)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits = counter(pair.first, 4, 1);

	ASSERT_OK(munmap(pair.first, page_size()));
	ASSERT_EQ((void *)pair.first, map_over(pair.first));
	memset(pair.first, POISON, page_size());
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
	EXPECT_TRUE(all_bytes(pair.first, POISON, page_size()));
}

TEST_F(profil, memory_mapped_over_counters_is_never_written)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits = counter(pair.first, 4, 1);

	ASSERT_EQ((void *)pair.first, map_over(pair.first));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
	EXPECT_TRUE(all_bytes(pair.first, 0, page_size()));
}

TEST_F(profil, counters_moved_by_mremap_are_not_written)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits;
	char *moved = new_pages(page_size());

	ASSERT_NE(NULL, moved);
	ASSERT_EQ((void *)moved, mremap(pair.first, page_size(), page_size(),
					MREMAP_MAYMOVE | MREMAP_FIXED, moved));
	hits = counter(moved, 4, 1);
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
	EXPECT_EQ(hits, counter(moved, 4, 1));
}

static void check_protected(struct __test_metadata *_metadata,
			    const profil_data *self, int protection)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits;

	ASSERT_OK(mprotect(pair.first, page_size(), protection));
	while (region_state(self->fd, 0) == PROFIL_REGION_ON)
		spin(1, FAST_NS);
	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ | PROT_WRITE));
	hits = counter(pair.first, 4, 1);
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_FAULT);
	EXPECT_EQ(hits, counter(pair.first, 4, 1));
}

TEST_F(profil, region_made_read_only_ends_at_the_next_hit)
{
	check_protected(_metadata, self, PROT_READ);
}

TEST_F(profil, region_made_inaccessible_ends_at_the_next_hit)
{
	check_protected(_metadata, self, PROT_NONE);
}

/* No counter changes after mprotect() has returned. */
TEST_F(profil, read_only_counters_do_not_change)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits;

	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ));
	hits = counter(pair.first, 4, 1);
	EXPECT_TRUE(spin_until_samples(self->fd, 1, 5));
	EXPECT_EQ(hits, counter(pair.first, 4, 1));
}

TEST_HARNESS_MAIN
