// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages of counters: in two mappings, in a memfd and in huge pages. Pages shared with a
 * forked child, and the zero page, are replaced by private copies before a sample is
 * recorded in them.
 */
#include "two_regions.h"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

TEST_F(profil, buffer_may_span_two_mappings)
{
	size_t page = page_size();
	char *buffer = new_pages(64 * page);

	ASSERT_OK(mprotect(buffer + 32 * page, 32 * page,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	ASSERT_OK(start_buffer(self->fd, buffer, 64 * page, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 31, buffer + 31 * page, 8, 1));
	EXPECT_TRUE(hit_until(self->fd, 32, buffer + 32 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
}

static int counters_file(size_t size)
{
	int memfd = memfd_create("counters", MFD_CLOEXEC);

	ASSERT_LE(0, memfd);
	ASSERT_OK(ftruncate(memfd, (off_t)size));
	return memfd;
}

static char *map_memfd(int memfd, size_t size)
{
	char *pages =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);

	ASSERT_NE(MAP_FAILED, pages);
	return pages;
}

/* The driver has a table of 64 pages for counters that are not further apart. */
TEST_F(profil, counters_may_be_64_pages_apart)
{
	char *pages = new_pages(65 * page_size());
	struct pair pair = { pages, pages + 64 * page_size() };

	ASSERT_OK(start_pair(self->fd, &pair));
	check_still_counts(self, &pair);
	check_all_hits(self, &pair);
}

TEST_F(profil, counters_in_a_memfd_are_visible_in_every_mapping)
{
	int memfd = counters_file(LARGE);
	char *pages = map_memfd(memfd, LARGE), *other = map_memfd(memfd, LARGE);
	__u64 seen;

	ASSERT_OK(start_buffer(self->fd, pages, LARGE, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 10, other + 10 * page_size(), 8, 1));
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_EQ(8, pread(memfd, &seen, 8, (off_t)(10 * page_size())));
	EXPECT_EQ(seen, *(__u64 *)(other + 10 * page_size()));
}

TEST_F(profil, counting_continues_through_a_punched_hole)
{
	int memfd = counters_file(page_size());
	struct pair pair = { map_memfd(memfd, page_size()),
			     new_pages(page_size()) };

	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_TRUE(spin_until(1, pair.first, 4, 200));
	ASSERT_OK(fallocate(memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			    0, (off_t)page_size()));
	EXPECT_GT(100, counter(pair.first, 4, 1));
	check_still_counts(self, &pair);
}

TEST_F(profil, region_of_a_truncated_file_ends_at_the_next_hit)
{
	int memfd = counters_file(page_size());
	struct pair pair = { map_memfd(memfd, page_size()),
			     new_pages(page_size()) };
	__u64 hits;

	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_TRUE(spin_until(1, pair.first, 4, 3));
	hits = stats_now(self->fd).hits;
	ASSERT_OK(ftruncate(memfd, 0));
	while (region_state(self->fd, 0) == PROFIL_REGION_ON)
		spin(1, FAST_NS);
	EXPECT_EQ(PROFIL_REGION_FAULT, region_state(self->fd, 0));
	check_second(self, &pair);
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

/* Pages that are copied */
/* A page that was only read is the zero page, which all programs share. */
TEST_F(profil, zero_pages_are_replaced_before_counting)
{
	char *buffer = new_pages(LARGE), *other = new_pages(LARGE);

	madvise(buffer, LARGE, MADV_NOHUGEPAGE);
	madvise(other, LARGE, MADV_NOHUGEPAGE);
	EXPECT_TRUE(all_bytes(buffer, 0, 16 * page_size()));
	EXPECT_TRUE(all_bytes(other, 0, 16 * page_size()));
	ASSERT_OK(start_buffer(self->fd, buffer, LARGE, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 0, buffer, 8, 1));
	EXPECT_TRUE(hit_until(self->fd, 10, buffer + 10 * page_size(), 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_TRUE(all_bytes(other, 0, 16 * page_size()));
}

/* After fork, parent and child share a page until one of them writes to it. */
TEST_F(profil, pages_shared_by_fork_are_copied_before_counting)
{
	volatile char *release = new_shared(page_size());
	size_t place = 10 * page_size();
	char *buffer = new_pages(LARGE);
	pid_t child;

	*(__u64 *)(buffer + place) = 1000;
	ASSERT_OK(start_buffer(self->fd, buffer, LARGE, PAGE_SCALE));
	child = IN_CHILD(({
		ASSERT_OK(stop(self->fd, NULL));
		while (!*release)
			sleep_ns(NSEC_PER_MSEC);
		*(__u64 *)(buffer + place) != 1000;
	}));
	EXPECT_TRUE(hit_until(self->fd, 10, buffer + place, 8, 1001));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	*release = 1;
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_LT(1000, *(__u64 *)(buffer + place));
}

/* Fork through syscall(); the child exits immediately. */
static pid_t bare_fork(void)
{
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!child)
		_exit(0);
	return child;
}

/* Add 1000 mappings of one page each, which fork has to copy. */
static bool scatter_mappings(void)
{
	size_t page = page_size(), i;
	char *bulk = new_pages(1000 * page);

	madvise(bulk, 1000 * page, MADV_NOHUGEPAGE);
	memset(bulk, 1, 1000 * page);
	for (i = 0; i < 1000; i += 2)
		if (mprotect(bulk + i * page, page, PROT_READ))
			return false;
	return true;
}

/* Add mappings until a fork takes @ns. */
static bool make_fork_take(__u64 ns)
{
	__u64 taken = 0;

	while (taken < ns) {
		__u64 begin;
		pid_t child;

		if (!scatter_mappings())
			return false;
		begin = wall_ns();
		child = bare_fork();
		taken = wall_ns() - begin;
		if (!exited_with(child, 0))
			return false;
	}
	return true;
}

/*
 * The driver cannot pin pages while fork copies the mappings. The user PC stays
 * in syscall(), whose counters are on page 10. A long fork has more samples
 * than the driver's ring has entries.
 */
TEST_F(profil, samples_during_a_long_fork_are_deferred)
{
	char *buffer = new_pages(LARGE);
	struct profil_region region =
		region_of(buffer, LARGE, syscall, PAGE_SCALE);
	struct profil_start args = start_of(&region, 1, 8, 100000);
	struct profil_stats seen;
	const char *page = buffer + 10 * page_size();
	__u64 until, hits = 0;
	unsigned int round;

	ASSERT_TRUE(make_fork_take(60 * NSEC_PER_MSEC));
	region.offset -= 10 * SITE_BYTES;
	ASSERT_OK(start(self->fd, &args));
	/* in some rounds an early sample pins the page before the copying */
	until = wall_ns() + TIMEOUT_NS;
	for (round = 0; round < 4 || (!hits && wall_ns() < until); round++) {
		ASSERT_OK(madvise(buffer, LARGE, MADV_DONTNEED));
		ASSERT_TRUE(exited_with(bare_fork(), 0));
		hits += counters_sum(page, 8, page_size() / 8);
	}
	seen = end_session(self->fd);
	TH_LOG("%llu samples, %llu in the kernel", seen.samples,
	       seen.kernel_samples);
	EXPECT_EQ(0, seen.lost);
	EXPECT_LT(0, hits);
}

/* fork copies pinned pages for the child; the parent keeps the originals. */
TEST_F(profil, pinned_pages_stay_the_parents_through_fork)
{
	struct pair pair = new_pair(self);
	volatile int *released = new_shared(page_size());

	for (int round = 0; round < 10; round++) {
		pid_t child = IN_CHILD(({
			stop(self->fd, NULL);
			while (*released <= round)
				sleep_ns(NSEC_PER_MSEC);
			0;
		}));

		check_still_counts(self, &pair);
		*released = round + 1;
		EXPECT_TRUE(exited_with(child, 0));
	}
	check_all_hits(self, &pair);
}

TEST_HARNESS_MAIN
