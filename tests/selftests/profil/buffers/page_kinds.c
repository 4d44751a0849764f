// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in two mappings, in a memfd and in huge pages.
 */
#include "two_regions.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

TEST_F(profil, buffer_may_span_two_mappings)
{
	size_t page = page_size();
	char *buffer = new_pages(64 * page);

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(mprotect(buffer + 32 * page, 32 * page,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	ASSERT_OK(start_buffer(self->fd, buffer, 64 * page, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 31, buffer + 31 * page, 8, 1));
	EXPECT_TRUE(hit_until(self->fd, 32, buffer + 32 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
}

static char *map_memfd(int memfd, size_t size)
{
	char *pages =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

/* The driver has a table of 64 pages for counters that are not further apart. */
TEST_F(profil, counters_may_be_64_pages_apart)
{
	char *pages = new_pages(65 * page_size());
	struct pair pair = { pages, pages + 64 * page_size() };

	ASSERT_NE(NULL, pages);
	ASSERT_OK(start_pair(self->fd, &pair));
	check_still_counts(_metadata, self, &pair);
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

TEST_F(profil, counters_in_a_memfd_are_visible_in_every_mapping)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);
	char *pages, *other;
	__u64 seen;

	ASSERT_LE(0, memfd);
	ASSERT_OK(ftruncate(memfd, LARGE));
	pages = map_memfd(memfd, LARGE);
	other = map_memfd(memfd, LARGE);
	ASSERT_NE(NULL, pages);
	ASSERT_NE(NULL, other);
	ASSERT_OK(start_buffer(self->fd, pages, LARGE, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 10, other + 10 * page_size(), 8, 1));
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_EQ(8, pread(memfd, &seen, 8, (off_t)(10 * page_size())));
	EXPECT_EQ(seen, *(__u64 *)(other + 10 * page_size()));
}

TEST_F(profil, counting_continues_through_a_punched_hole)
{
	struct pair pair = { .second = new_pages(page_size()) };
	int memfd = memfd_create("counters", MFD_CLOEXEC);

	ASSERT_LE(0, memfd);
	ASSERT_OK(ftruncate(memfd, (off_t)page_size()));
	pair.first = map_memfd(memfd, page_size());
	ASSERT_NE(NULL, pair.first);
	ASSERT_NE(NULL, pair.second);
	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_TRUE(spin_until(1, pair.first, 4, 200));
	ASSERT_OK(fallocate(memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			    0, (off_t)page_size()));
	EXPECT_GT(100, counter(pair.first, 4, 1));
	check_still_counts(_metadata, self, &pair);
}

TEST_F(profil, region_of_a_truncated_file_ends_at_the_next_hit)
{
	struct pair pair = { .second = new_pages(page_size()) };
	int memfd = memfd_create("counters", MFD_CLOEXEC);
	__u64 hits;

	ASSERT_LE(0, memfd);
	ASSERT_OK(ftruncate(memfd, (off_t)page_size()));
	pair.first = map_memfd(memfd, page_size());
	ASSERT_NE(NULL, pair.first);
	ASSERT_NE(NULL, pair.second);
	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_TRUE(spin_until(1, pair.first, 4, 3));
	hits = stats_now(self->fd).hits;
	ASSERT_OK(ftruncate(memfd, 0));
	while (region_state(self->fd, 0) == PROFIL_REGION_ON)
		spin(1, FAST_NS);
	EXPECT_EQ(PROFIL_REGION_FAULT, region_state(self->fd, 0));
	check_second(_metadata, self, &pair);
	EXPECT_LE(hits, stats_now(self->fd).hits);
	/* after a second ftruncate() the file is empty */
	ASSERT_OK(ftruncate(memfd, (off_t)page_size()));
	EXPECT_TRUE(spin_until_samples(self->fd, 1, 5));
	EXPECT_TRUE(all_bytes(pair.first, 0, page_size()));
}

TEST_F(profil, counters_work_in_whole_and_split_huge_pages)
{
	char *buffer = new_huge(4 * MIB);
	size_t page = page_size();

	if (!buffer)
		SKIP(return, "no transparent huge pages");
	memset(buffer, 0, 4 * MIB);
	ASSERT_OK(start_buffer(self->fd, buffer, 4 * MIB, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 10, buffer + 10 * page, 8, 1));
	ASSERT_OK(madvise(buffer + 20 * page, page, MADV_DONTNEED));
	EXPECT_TRUE(hit_until(self->fd, 20, buffer + 20 * page, 8, 1));
	ASSERT_OK(mprotect(buffer + 40 * page, 3 * page,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	EXPECT_TRUE(hit_until(self->fd, 41, buffer + 41 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
}

/*
 * A pinned page cannot be collapsed into a huge page. START pins the first
 * page, which lies in the first huge page's range; the counters of sites 32 and
 * up lie in the second huge page's range.
 */
TEST_F(profil, counting_continues_after_a_collapse_to_huge_pages)
{
	char *buffer = new_huge(4 * MIB), *counters;
	size_t page = page_size(), at;

	if (!buffer)
		SKIP(return, "no transparent huge pages");
	counters = buffer + 2 * MIB - 32 * page;
	madvise(buffer, 4 * MIB, MADV_NOHUGEPAGE);
	for (at = 0; at < 4 * MIB; at += page)
		buffer[at] = 0;
	madvise(buffer, 4 * MIB, MADV_HUGEPAGE);
	ASSERT_OK(start_buffer(self->fd, counters, 2 * MIB, PAGE_SCALE));
	if (madvise(buffer + 2 * MIB, 2 * MIB, MADV_COLLAPSE))
		TH_LOG("not collapsed: %s", strerror(errno));
	EXPECT_TRUE(hit_until(self->fd, 10, counters + 10 * page, 8, 1));
	EXPECT_TRUE(hit_until(self->fd, 40, counters + 40 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
}

TEST_HARNESS_MAIN
