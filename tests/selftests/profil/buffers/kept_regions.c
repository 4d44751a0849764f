// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counting continues while the kernel replaces the pages of the counters.
 */
#include "two_regions.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

TEST_F(profil, counting_continues_after_madv_dontneed)
{
	struct pair pair = new_pair(_metadata, self);

	ASSERT_TRUE(spin_until(1, pair.first, 4, 200));
	ASSERT_OK(madvise(pair.first, page_size(), MADV_DONTNEED));
	EXPECT_GT(100, counter(pair.first, 4, 1));
	check_still_counts(_metadata, self, &pair);
	EXPECT_LE(205, stats_now(self->fd).hits);
}

TEST_F(profil, counting_continues_through_repeated_madv_dontneed)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 until = wall_ns() + NSEC_PER_SEC;
	unsigned int round;

	for (round = 0; wall_ns() < until; round++) {
		spin(1, FAST_NS);
		ASSERT_OK(madvise(pair.first, page_size(), MADV_DONTNEED));
		/* STATS makes the driver record deferred samples */
		if (round % 32 == 31)
			stats_now(self->fd);
	}
	check_still_counts(_metadata, self, &pair);
}

static void check_advice(struct __test_metadata *_metadata,
			 const profil_data *self, int advice)
{
	struct pair pair = new_pair(_metadata, self);

	if (madvise(pair.first, page_size(), advice))
		TH_LOG("advice %d is not supported", advice);
	check_still_counts(_metadata, self, &pair);
	ASSERT_OK(stop(self->fd, NULL));
}

TEST_F(profil, counting_continues_through_other_advice)
{
	check_advice(_metadata, self, MADV_FREE);
	check_advice(_metadata, self, MADV_COLD);
	check_advice(_metadata, self, MADV_PAGEOUT);
	check_advice(_metadata, self, MADV_MERGEABLE);
	check_advice(_metadata, self, MADV_DONTFORK);
}

TEST_F(profil, counting_continues_while_writable)
{
	struct pair pair = new_pair(_metadata, self);

	ASSERT_OK(mprotect(pair.first, page_size(),
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	check_still_counts(_metadata, self, &pair);
	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ | PROT_WRITE));
	check_still_counts(_metadata, self, &pair);
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

TEST_F(profil, counting_continues_through_compaction)
{
	struct pair pair = new_pair(_metadata, self);
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		SKIP(return, "no compaction");
	EXPECT_EQ(1, write(fd, "1", 1));
	close(fd);
	check_still_counts(_metadata, self, &pair);
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

/* Counters that end where the memory begins that is unmapped, and behind it */
TEST_F(profil, counting_continues_beside_an_unmapping)
{
	size_t page = page_size(), half = NR_SITES / 2 * 4;
	char *pages = new_pages(3 * page);
	struct pair pair = { pages + page - half, pages + 2 * page };

	ASSERT_NE(NULL, pages);
	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_OK(munmap(pages + page, page));
	check_still_counts(_metadata, self, &pair);
}

TEST_HARNESS_MAIN
