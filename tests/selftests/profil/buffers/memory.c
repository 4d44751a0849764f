// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters are the program's own memory: what is refused at the call, what is
 * charged, and what happens when the program changes the mapping while it is
 * being profiled.
 */
#include "harness.h"

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#define MIB 0x100000UL
#define LARGE (64 * MIB) /* no driver would pin this at START */

/* With 64-bit counters, those of each site have a page of their own. */
#define PAGE_SCALE ((__u32)page_size() * (0x10000 / SITE_BYTES))

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Start counting sites in @size bytes, whether they are all needed or not. */
static int start_sized(int fd, void *counters, size_t size, __u32 scale)
{
	struct profil_region region =
		region_of(counters, size, profil_sites, scale);
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	return start(fd, &args);
}

static struct profil_stats stats_now(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);

	if (stats(fd, &seen))
		memset(&seen, 0, sizeof(seen));
	return seen;
}

static __u32 state_of(int fd, __u32 region)
{
	__u32 states[4] = { POISON_U32, POISON_U32, POISON_U32, POISON_U32 };
	struct profil_stats seen = stats_blank(states, 4);

	return stats(fd, &seen) ? POISON_U32 : states[region];
}

/*
 * As spin_till_at(), but never so far ahead of the driver's work that it could
 * lose a sample, for tests that say that none is lost.
 */
static bool hit_till(int fd, unsigned int nr, const void *at, __u32 width,
		     __u64 count)
{
	__u64 until = wall_ns() + PATIENCE_NS;

	while (counter(at, width, 0) < count) {
		if (wall_ns() > until)
			return false;
		spin(nr, NSEC_PER_MSEC);
		stats_now(fd);
	}
	return true;
}

/*
 * What is refused
 */
TEST_F(profil, unmapped_buffer_is_refused)
{
	char *pages = new_pages(4 * page_size());

	ASSERT_NE(NULL, pages);
	ASSERT_OK(munmap(pages, 4 * page_size()));
	EXPECT_EQ(-EFAULT, start_sized(self->fd, pages, 512, 0x10000));
	EXPECT_EQ(-EFAULT,
		  start_sized(self->fd, pages, 4 * page_size(), 0x10000));
	EXPECT_EQ(0, stats_now(self->fd).flags);
}

/* Wherever in a buffer of @pages pages the bad page is. */
static void check_bad_page(struct __test_metadata *_metadata, int fd,
			   size_t pages, int protection)
{
	size_t page = page_size(), bad;

	for (bad = 0; bad < pages; bad += (pages - 1) / 2) {
		char *buffer = new_pages(pages * page);
		char *at = buffer + bad * page;

		ASSERT_NE(NULL, buffer);
		ASSERT_OK(protection < 0 ? munmap(at, page) :
					   mprotect(at, page, protection));
		EXPECT_EQ(-EFAULT,
			  start_sized(fd, buffer, pages * page, 0x10000));
		EXPECT_EQ(0, stats_now(fd).flags);
		munmap(buffer, pages * page);
	}
}

TEST_F(profil, buffer_with_a_hole_is_refused)
{
	check_bad_page(_metadata, self->fd, 3, -1);
	check_bad_page(_metadata, self->fd, 63, -1);
	check_bad_page(_metadata, self->fd, LARGE / page_size() + 1, -1);
}

TEST_F(profil, buffer_that_is_partly_read_only_is_refused)
{
	check_bad_page(_metadata, self->fd, 3, PROT_READ);
	check_bad_page(_metadata, self->fd, LARGE / page_size() + 1, PROT_READ);
}

TEST_F(profil, buffer_that_is_partly_inaccessible_is_refused)
{
	check_bad_page(_metadata, self->fd, 3, PROT_NONE);
	check_bad_page(_metadata, self->fd, LARGE / page_size() + 1, PROT_NONE);
}

TEST_F(profil, last_counter_that_is_not_whole_needs_no_memory)
{
	size_t page = page_size();
	char *buffer = new_at_hole(page);

	ASSERT_NE(NULL, buffer);
	EXPECT_OK(start_sized(self->fd, buffer, page + 7, SITE_SCALE(8)));
	EXPECT_EQ(-EFAULT,
		  start_sized(self->fd, buffer, page + 8, SITE_SCALE(8)));
	EXPECT_OK(start_sized(self->fd, buffer, page + 7, SITE_SCALE(8)));
	EXPECT_TRUE(spin_till(3, buffer, 8, 2));
}

static void *map_self(int protection, int flags)
{
	int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	void *pages;

	if (fd < 0)
		return MAP_FAILED;
	pages = mmap(NULL, 2 * page_size(), protection, flags, fd, 0);
	close(fd);
	return pages;
}

TEST_F(profil, file_mapped_read_only_is_refused)
{
	void *pages = map_self(PROT_READ, MAP_PRIVATE);

	ASSERT_NE(MAP_FAILED, pages);
	EXPECT_EQ(-EFAULT, start_sized(self->fd, pages, 512, 0x10000));
	pages = map_self(PROT_READ, MAP_SHARED);
	ASSERT_NE(MAP_FAILED, pages);
	EXPECT_EQ(-EFAULT, start_sized(self->fd, pages, 512, 0x10000));
}

TEST_F(profil, own_copy_of_a_file_is_taken)
{
	char *pages = map_self(PROT_READ | PROT_WRITE, MAP_PRIVATE);
	const char *file = map_self(PROT_READ, MAP_PRIVATE);
	__u64 before, seen;

	ASSERT_NE(MAP_FAILED, pages);
	ASSERT_NE(MAP_FAILED, file);
	before = counter(pages, 8, 3);
	ASSERT_OK(start_sized(self->fd, pages, 512, SITE_SCALE(8)));
	EXPECT_TRUE(spin_till(3, pages, 8, before + 2));
	ASSERT_OK(stop(self->fd, NULL));
	seen = counter(file, 8, 3);
	EXPECT_EQ(before, seen);
}

/* The thread that would serve the fault may be the one that asks. */
TEST_F(profil, memory_under_userfaultfd_is_refused_and_waits_for_nobody)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	char *pages = new_pages(page_size());
	int uffd = (int)syscall(SYS_userfaultfd, O_CLOEXEC);

	ASSERT_NE(NULL, pages);
	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api))
		SKIP(return, "no userfaultfd here");
	range.range.start = (uintptr_t)pages;
	range.range.len = page_size();
	ASSERT_OK(ioctl(uffd, UFFDIO_REGISTER, &range));
	EXPECT_EQ(-EFAULT, start_sized(self->fd, pages, 512, 0x10000));
	close(uffd);
	EXPECT_OK(start_sized(self->fd, pages, 512, 0x10000));
}

/*
 * What is charged
 */

TEST_F(profil, small_buffer_above_the_limit_is_refused)
{
	size_t page = page_size();
	char *buffer = new_pages(8 * page);
	unsigned int round;

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(become_user(new_user(), 4));
	EXPECT_EQ(-ENOMEM, start_sized(self->fd, buffer, 5 * page, 0x10000));
	EXPECT_EQ(0, stats_now(self->fd).flags);
	EXPECT_EQ(0, status_pages("VmPin:"));
	/* again and again: STOP gives back what START took */
	for (round = 0; round < 50; round++) {
		ASSERT_OK(start_sized(self->fd, buffer, 4 * page, 0x10000));
		ASSERT_EQ(4, stats_now(self->fd).pinned_pages);
		ASSERT_EQ(4, status_pages("VmPin:"));
		ASSERT_OK(stop(self->fd, NULL));
		ASSERT_EQ(0, status_pages("VmPin:"));
	}
}

TEST_F(profil, failed_start_gives_back_what_it_was_charged)
{
	size_t page = page_size();
	char *buffer = new_at_hole(3 * page);
	unsigned int round;

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(become_user(new_user(), 8));
	for (round = 0; round < 20; round++) {
		ASSERT_EQ(-EFAULT,
			  start_sized(self->fd, buffer, 4 * page, 0x10000));
		ASSERT_EQ(0, status_pages("VmPin:"));
	}
}

TEST_F(profil, large_buffer_above_the_limit_counts_what_it_can)
{
	char *buffer = new_pages(LARGE);
	struct profil_stats seen;
	unsigned int nr;

	ASSERT_NE(NULL, buffer);
	madvise(buffer, LARGE, MADV_NOHUGEPAGE);
	ASSERT_OK(become_user(new_user(), 3));
	ASSERT_OK(start_sized(self->fd, buffer, LARGE, PAGE_SCALE));
	for (nr = 10; nr < 20; nr++)
		EXPECT_TRUE(spin_till_samples(self->fd, nr, 3));
	EXPECT_GE(3, status_pages("VmPin:"));
	EXPECT_EQ(PROFIL_REGION_LIMIT, state_of(self->fd, 0));
	ASSERT_LE(1, stats_now(self->fd).pinned_pages);
	seen = stats_blank(NULL, 0);
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_LT(0, seen.lost);
	EXPECT_LT(0, seen.hits);
	EXPECT_EQ(seen.hits, counters_sum(buffer, 8, LARGE / 8));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

TEST_F(profil, limit_does_not_bind_who_may_lock_memory)
{
	struct rlimit none = { 0, 0 };

	ASSERT_OK(setrlimit(RLIMIT_MEMLOCK, &none));
	EXPECT_OK(start_sized(self->fd, self->counters, 512, SITE_SCALE(8)));
	EXPECT_TRUE(spin_till(3, self->counters, 8, 2));
}

TEST_F(profil, large_sparse_buffer_costs_its_hot_pages_only)
{
	size_t size = (sizeof(long) == 8 ? 1024 : 256) * MIB, before;
	char *buffer = new_reserved(size);
	__u64 begin;

	ASSERT_NE(NULL, buffer);
	madvise(buffer, size, MADV_NOHUGEPAGE);
	before = status_pages("VmRSS:");
	begin = wall_ns();
	ASSERT_OK(start_sized(self->fd, buffer, size, PAGE_SCALE));
	TH_LOG("START of %zu MiB: %llu us", size / MIB,
	       (wall_ns() - begin) / NSEC_PER_USEC);
	EXPECT_GE(64, stats_now(self->fd).pinned_pages);
	EXPECT_TRUE(hit_till(self->fd, 0, buffer, 8, 2));
	EXPECT_TRUE(hit_till(self->fd, 20, buffer + 20 * page_size(), 8, 1));
	EXPECT_TRUE(hit_till(self->fd, 40, buffer + 40 * page_size(), 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_GE(64, stats_now(self->fd).pinned_pages);
	EXPECT_GE(before + 256, status_pages("VmRSS:"));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

static int start_overlapping(int fd, char *buffer, size_t size, __u32 nr)
{
	struct profil_region *regions = calloc(nr, sizeof(*regions));
	struct profil_start args = start_of(regions, nr, 8, FAST_NS);
	size_t page = page_size();
	__u32 i;
	int err;

	for (i = 0; regions && i < nr; i++)
		regions[i] = region_of(buffer + i * page, size - i * page,
				       site(0), PAGE_SCALE);
	err = regions ? start(fd, &args) : -ENOMEM;
	free(regions);
	return err;
}

TEST_F(profil, start_looks_at_one_page_of_a_mapping_for_all_regions)
{
	char *buffer = new_reserved(LARGE);

	ASSERT_NE(NULL, buffer);
	madvise(buffer, LARGE, MADV_NOHUGEPAGE);
	ASSERT_OK(start_overlapping(self->fd, buffer, LARGE, 1000));
	/* that one, and those of a few samples */
	EXPECT_GT(100, stats_now(self->fd).pinned_pages);
}

/* However the regions overlap, no mapping is left out, nor a hole. */
TEST_F(profil, start_looks_at_every_mapping_of_overlapping_regions)
{
	size_t page = page_size(), nr = 500, at;
	char *buffer = new_reserved(nr * page);

	ASSERT_NE(NULL, buffer);
	madvise(buffer, nr * page, MADV_NOHUGEPAGE);
	for (at = 0; at < nr; at += 2)
		ASSERT_OK(mprotect(buffer + at * page, page,
				   PROT_READ | PROT_WRITE | PROT_EXEC));
	ASSERT_OK(start_overlapping(self->fd, buffer, nr * page, 400));
	EXPECT_EQ(nr, stats_now(self->fd).pinned_pages);
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_OK(mprotect(buffer + (nr - 1) * page, page, PROT_READ));
	EXPECT_EQ(-EFAULT, start_overlapping(self->fd, buffer, nr * page, 400));
}

/*
 * What is taken away. Region 0 counts sites 0 to 31, region 1 the others, each
 * in a mapping of its own.
 */
struct pair {
	char *first;
	char *second;
};

static int start_pair(int fd, const struct pair *pair)
{
	size_t half = NR_SITES / 2 * 4;
	struct profil_region regions[2] = {
		region_of(pair->first, half, site(0), SITE_SCALE(4)),
		region_of(pair->second, half, site(32), SITE_SCALE(4)),
	};
	struct profil_start args = start_of(regions, 2, 4, FAST_NS);

	return start(fd, &args);
}

static struct pair new_pair(struct __test_metadata *_metadata,
			    const profil_data *self)
{
	struct pair pair = { new_pages(page_size()), new_pages(page_size()) };

	EXPECT_NE(NULL, pair.first);
	EXPECT_NE(NULL, pair.second);
	EXPECT_OK(start_pair(self->fd, &pair));
	EXPECT_TRUE(spin_till(1, pair.first, 4, 3));
	return pair;
}

/* The process goes on, and so does the other region. */
static void check_second(struct __test_metadata *_metadata,
			 const profil_data *self, const struct pair *pair)
{
	__u64 now = counter(pair->second, 4, 1);

	EXPECT_TRUE(hit_till(self->fd, 33, pair->second + 4, 4, now + 2));
	EXPECT_EQ(PROFIL_REGION_ON, state_of(self->fd, 1));
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
}

/* Pages that were taken away are let go of a little later. */
static bool pinned_in_the_end(int fd, __u64 pages)
{
	__u64 until = wall_ns() + PATIENCE_NS;

	while (stats_now(fd).pinned_pages != pages) {
		if (wall_ns() > until)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

/* The first region is in @state, after @hits, and counts no more. */
static void check_ended(struct __test_metadata *_metadata,
			const profil_data *self, const struct pair *pair,
			__u64 hits, __u32 state)
{
	struct profil_stats seen;

	EXPECT_TRUE(spin_till_samples(self->fd, 1, 5));
	EXPECT_EQ(state, state_of(self->fd, 0));
	check_second(_metadata, self, pair);
	seen = stats_now(self->fd);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(hits + counter(pair->second, 4, 1), seen.hits);
	EXPECT_TRUE(pinned_in_the_end(self->fd, 1));
}

TEST_F(profil, munmap_ends_the_region_and_not_the_process)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits = counter(pair.first, 4, 1);

	ASSERT_OK(munmap(pair.first, page_size()));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, state_of(self->fd, 0));
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
}

TEST_F(profil, munmap_of_neighbours_ends_nothing)
{
	size_t page = page_size();
	char *pages = new_pages(5 * page);
	struct pair pair = { pages + page, pages + 3 * page };

	ASSERT_NE(NULL, pages);
	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_OK(munmap(pages, page));
	ASSERT_OK(munmap(pages + 2 * page, page));
	ASSERT_OK(munmap(pages + 4 * page, page));
	EXPECT_EQ(PROFIL_REGION_ON, state_of(self->fd, 0));
	EXPECT_EQ(PROFIL_REGION_ON, state_of(self->fd, 1));
	EXPECT_TRUE(spin_till(1, pair.first, 4, 3));
	check_second(_metadata, self, &pair);
}

TEST_F(profil, munmap_of_one_page_ends_the_whole_region)
{
	size_t page = page_size();
	char *buffer = new_pages(LARGE);

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(start_sized(self->fd, buffer, LARGE, PAGE_SCALE));
	spin(10, 10 * FAST_NS);
	ASSERT_OK(munmap(buffer + 50 * page, page));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, state_of(self->fd, 0));
	EXPECT_TRUE(all_bytes(buffer + 11 * page, 0, page));
	EXPECT_TRUE(spin_till_samples(self->fd, 11, 5));
	EXPECT_TRUE(all_bytes(buffer + 11 * page, 0, page));
}

static void *map_over(void *at)
{
	return mmap(at, page_size(), PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
}

/* Spins until the process ends: samples of another thread are all that counts. */
static void *spin_for_ever(void *argument)
{
	for (;;)
		spin((unsigned int)(uintptr_t)argument, NSEC_PER_SEC);
	return NULL;
}

/*
 * Its page is dropped all the time, so that samples wait for it, and the work
 * pins it, when it is unmapped.
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

TEST_F(profil, region_unmapped_while_samples_wait_is_told_as_unmapped)
{
	unsigned int round;
	pthread_t thread;

	ASSERT_OK(pthread_create(&thread, NULL, spin_for_ever, (void *)1));
	for (round = 0; round < 2000; round++)
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
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, state_of(self->fd, 0));
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
	EXPECT_TRUE(all_bytes(pair.first, 0, page_size()));
}

TEST_F(profil, counters_moved_away_are_left_alone)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits;
	char *moved = new_pages(page_size());

	ASSERT_NE(NULL, moved);
	ASSERT_EQ((void *)moved, mremap(pair.first, page_size(), page_size(),
					MREMAP_MAYMOVE | MREMAP_FIXED, moved));
	hits = counter(moved, 4, 1);
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, state_of(self->fd, 0));
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_UNMAPPED);
	EXPECT_EQ(hits, counter(moved, 4, 1));
}

static void check_protected(struct __test_metadata *_metadata,
			    const profil_data *self, int protection)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits;

	ASSERT_OK(mprotect(pair.first, page_size(), protection));
	while (state_of(self->fd, 0) == PROFIL_REGION_ON)
		spin(1, FAST_NS);
	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ | PROT_WRITE));
	hits = counter(pair.first, 4, 1);
	check_ended(_metadata, self, &pair, hits, PROFIL_REGION_FAULT);
	EXPECT_EQ(hits, counter(pair.first, 4, 1));
}

TEST_F(profil, region_made_read_only_ends_by_the_next_hit)
{
	check_protected(_metadata, self, PROT_READ);
}

TEST_F(profil, region_made_inaccessible_ends_by_the_next_hit)
{
	check_protected(_metadata, self, PROT_NONE);
}

/* Nothing is written from the moment that mprotect returns. */
TEST_F(profil, read_only_counters_do_not_change)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 hits;

	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ));
	hits = counter(pair.first, 4, 1);
	EXPECT_TRUE(spin_till_samples(self->fd, 1, 5));
	EXPECT_EQ(hits, counter(pair.first, 4, 1));
}

/*
 * What goes on
 */

/* Counts go on at the first region's counter, and none was lost. */
static void check_goes_on(struct __test_metadata *_metadata,
			  const profil_data *self, const struct pair *pair)
{
	__u64 now = counter(pair->first, 4, 1);
	struct profil_stats seen;

	EXPECT_TRUE(hit_till(self->fd, 1, pair->first + 4, 4, now + 5));
	EXPECT_EQ(PROFIL_REGION_ON, state_of(self->fd, 0));
	check_second(_metadata, self, pair);
	seen = stats_now(self->fd);
	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(2, seen.pinned_pages);
}

TEST_F(profil, madv_dontneed_zeroes_and_counting_goes_on)
{
	struct pair pair = new_pair(_metadata, self);

	ASSERT_TRUE(spin_till(1, pair.first, 4, 200));
	ASSERT_OK(madvise(pair.first, page_size(), MADV_DONTNEED));
	EXPECT_GT(100, counter(pair.first, 4, 1));
	check_goes_on(_metadata, self, &pair);
	EXPECT_LE(205, stats_now(self->fd).hits);
}

TEST_F(profil, counting_goes_on_through_dontneed_again_and_again)
{
	struct pair pair = new_pair(_metadata, self);
	__u64 until = wall_ns() + NSEC_PER_SEC;
	unsigned int round;

	for (round = 0; wall_ns() < until; round++) {
		spin(1, FAST_NS);
		ASSERT_OK(madvise(pair.first, page_size(), MADV_DONTNEED));
		/* not so far ahead that samples could be lost */
		if (round % 32 == 31)
			stats_now(self->fd);
	}
	check_goes_on(_metadata, self, &pair);
}

static void check_advice(struct __test_metadata *_metadata,
			 const profil_data *self, int advice)
{
	struct pair pair = new_pair(_metadata, self);

	if (madvise(pair.first, page_size(), advice))
		TH_LOG("no advice %d here", advice);
	check_goes_on(_metadata, self, &pair);
	ASSERT_OK(stop(self->fd, NULL));
}

TEST_F(profil, counting_goes_on_through_other_advice)
{
	check_advice(_metadata, self, MADV_FREE);
	check_advice(_metadata, self, MADV_COLD);
	check_advice(_metadata, self, MADV_PAGEOUT);
	check_advice(_metadata, self, MADV_MERGEABLE);
	check_advice(_metadata, self, MADV_DONTFORK);
}

TEST_F(profil, counting_goes_on_when_still_writable)
{
	struct pair pair = new_pair(_metadata, self);

	ASSERT_OK(mprotect(pair.first, page_size(),
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	check_goes_on(_metadata, self, &pair);
	ASSERT_OK(mprotect(pair.first, page_size(), PROT_READ | PROT_WRITE));
	check_goes_on(_metadata, self, &pair);
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

TEST_F(profil, counting_goes_on_through_compaction)
{
	struct pair pair = new_pair(_metadata, self);
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		SKIP(return, "no compaction here");
	EXPECT_EQ(1, write(fd, "1", 1));
	close(fd);
	check_goes_on(_metadata, self, &pair);
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

/* A page only read so far is the one zero page that all programs share. */
TEST_F(profil, pages_only_read_so_far_are_made_the_programs_own)
{
	char *buffer = new_pages(LARGE), *other = new_pages(LARGE);

	ASSERT_NE(NULL, buffer);
	ASSERT_NE(NULL, other);
	madvise(buffer, LARGE, MADV_NOHUGEPAGE);
	madvise(other, LARGE, MADV_NOHUGEPAGE);
	EXPECT_TRUE(all_bytes(buffer, 0, 16 * page_size()));
	EXPECT_TRUE(all_bytes(other, 0, 16 * page_size()));
	ASSERT_OK(start_sized(self->fd, buffer, LARGE, PAGE_SCALE));
	EXPECT_TRUE(hit_till(self->fd, 0, buffer, 8, 1));
	EXPECT_TRUE(hit_till(self->fd, 10, buffer + 10 * page_size(), 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_TRUE(all_bytes(other, 0, 16 * page_size()));
}

/* Fork leaves both sides a page that is neither's till one writes to it. */
TEST_F(profil, pages_shared_since_a_fork_are_made_the_programs_own)
{
	volatile char *told = new_shared(page_size());
	size_t place = 10 * page_size();
	char *buffer = new_pages(LARGE);
	pid_t child;

	ASSERT_NE(NULL, buffer);
	*(__u64 *)(buffer + place) = 1000;
	ASSERT_OK(start_sized(self->fd, buffer, LARGE, PAGE_SCALE));
	child = fork();
	if (!child) {
		if (stop(self->fd, NULL))
			_exit(1);
		while (!*told)
			sleep_ns(NSEC_PER_MSEC);
		_exit(*(__u64 *)(buffer + place) != 1000);
	}
	EXPECT_TRUE(hit_till(self->fd, 10, buffer + place, 8, 1001));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	*told = 1;
	EXPECT_TRUE(exited_with(child, 0));
	EXPECT_LT(1000, *(__u64 *)(buffer + place));
}

/* Fork by syscall(); the child ends at once. */
static pid_t bare_fork(void)
{
	pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (!child)
		_exit(0);
	return child;
}

/* 1000 more mappings for fork to copy, of which each has a page of its own. */
static bool scatter_mappings(void)
{
	size_t page = page_size(), i;
	char *bulk = new_pages(1000 * page);

	if (!bulk)
		return false;
	madvise(bulk, 1000 * page, MADV_NOHUGEPAGE);
	memset(bulk, 1, 1000 * page);
	for (i = 0; i < 1000; i += 2)
		if (mprotect(bulk + i * page, page, PROT_READ))
			return false;
	return true;
}

/* However fast the machine is, a fork shall take as long as this. */
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
 * Nothing can be pinned while fork copies the mappings. All that time the PC is
 * the one at which the program called it, in syscall(), which has the counters
 * on page 10; more samples than the driver has places for, if it takes long.
 */
TEST_F(profil, samples_of_a_long_fork_wait_for_their_page)
{
	char *buffer = new_pages(LARGE);
	struct profil_region region =
		region_of(buffer, LARGE, syscall, PAGE_SCALE);
	struct profil_start args = start_of(&region, 1, 8, 100000);
	struct profil_stats seen = stats_blank(NULL, 0);
	const char *page = buffer + 10 * page_size();
	__u64 until, hits = 0;
	unsigned int round;

	ASSERT_NE(NULL, buffer);
	ASSERT_TRUE(make_fork_take(60 * NSEC_PER_MSEC));
	region.offset -= 10 * SITE_BYTES;
	ASSERT_OK(start(self->fd, &args));
	/* in some, a sample comes so early that its page is pinned before */
	until = wall_ns() + PATIENCE_NS;
	for (round = 0; round < 4 || (!hits && wall_ns() < until); round++) {
		ASSERT_OK(madvise(buffer, LARGE, MADV_DONTNEED));
		ASSERT_TRUE(exited_with(bare_fork(), 0));
		hits += counters_sum(page, 8, page_size() / 8);
	}
	ASSERT_OK(stop(self->fd, &seen));
	TH_LOG("%llu samples, %llu in the kernel", seen.samples,
	       seen.kernel_samples);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_LT(0, hits);
}

/* Pinned ones the child has copies of at once; the parent's stay its own. */
TEST_F(profil, pinned_pages_stay_the_parents_own_through_fork)
{
	struct pair pair = new_pair(_metadata, self);
	volatile int *told = new_shared(page_size());
	int round;

	for (round = 0; round < 10; round++) {
		pid_t child = fork();

		if (!child) {
			stop(self->fd, NULL);
			while (*told <= round)
				sleep_ns(NSEC_PER_MSEC);
			_exit(0);
		}
		check_goes_on(_metadata, self, &pair);
		*told = round + 1;
		EXPECT_TRUE(exited_with(child, 0));
	}
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

/*
 * Other kinds of memory
 */
TEST_F(profil, buffer_may_span_two_mappings)
{
	size_t page = page_size();
	char *buffer = new_pages(64 * page);

	ASSERT_NE(NULL, buffer);
	ASSERT_OK(mprotect(buffer + 32 * page, 32 * page,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	ASSERT_OK(start_sized(self->fd, buffer, 64 * page, PAGE_SCALE));
	EXPECT_TRUE(hit_till(self->fd, 31, buffer + 31 * page, 8, 1));
	EXPECT_TRUE(hit_till(self->fd, 32, buffer + 32 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
}

static char *map_memfd(int memfd, size_t size)
{
	char *pages =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memfd, 0);

	return pages == MAP_FAILED ? NULL : pages;
}

TEST_F(profil, counters_in_a_memfd_are_seen_by_all_who_have_it)
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
	ASSERT_OK(start_sized(self->fd, pages, LARGE, PAGE_SCALE));
	EXPECT_TRUE(hit_till(self->fd, 10, other + 10 * page_size(), 8, 1));
	ASSERT_OK(stop(self->fd, NULL));
	ASSERT_EQ(8, pread(memfd, &seen, 8, (off_t)(10 * page_size())));
	EXPECT_EQ(seen, *(__u64 *)(other + 10 * page_size()));
}

TEST_F(profil, counting_goes_on_through_a_punched_hole)
{
	struct pair pair = { .second = new_pages(page_size()) };
	int memfd = memfd_create("counters", MFD_CLOEXEC);

	ASSERT_LE(0, memfd);
	ASSERT_OK(ftruncate(memfd, (off_t)page_size()));
	pair.first = map_memfd(memfd, page_size());
	ASSERT_NE(NULL, pair.first);
	ASSERT_NE(NULL, pair.second);
	ASSERT_OK(start_pair(self->fd, &pair));
	ASSERT_TRUE(spin_till(1, pair.first, 4, 200));
	ASSERT_OK(fallocate(memfd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			    0, (off_t)page_size()));
	EXPECT_GT(100, counter(pair.first, 4, 1));
	check_goes_on(_metadata, self, &pair);
}

TEST_F(profil, region_whose_file_is_truncated_ends_by_the_next_hit)
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
	ASSERT_TRUE(spin_till(1, pair.first, 4, 3));
	hits = stats_now(self->fd).hits;
	ASSERT_OK(ftruncate(memfd, 0));
	while (state_of(self->fd, 0) == PROFIL_REGION_ON)
		spin(1, FAST_NS);
	EXPECT_EQ(PROFIL_REGION_FAULT, state_of(self->fd, 0));
	check_second(_metadata, self, &pair);
	EXPECT_LE(hits, stats_now(self->fd).hits);
	/* whoever makes the file longer again finds it empty */
	ASSERT_OK(ftruncate(memfd, (off_t)page_size()));
	EXPECT_TRUE(spin_till_samples(self->fd, 1, 5));
	EXPECT_TRUE(all_bytes(pair.first, 0, page_size()));
}

TEST_F(profil, huge_pages_hold_counters_whole_and_split)
{
	char *buffer = new_huge(4 * MIB);
	size_t page = page_size();

	if (!buffer)
		SKIP(return, "no transparent huge pages here");
	memset(buffer, 0, 4 * MIB);
	ASSERT_OK(start_sized(self->fd, buffer, 4 * MIB, PAGE_SCALE));
	EXPECT_TRUE(hit_till(self->fd, 10, buffer + 10 * page, 8, 1));
	ASSERT_OK(madvise(buffer + 20 * page, page, MADV_DONTNEED));
	EXPECT_TRUE(hit_till(self->fd, 20, buffer + 20 * page, 8, 1));
	ASSERT_OK(mprotect(buffer + 40 * page, 3 * page,
			   PROT_READ | PROT_WRITE | PROT_EXEC));
	EXPECT_TRUE(hit_till(self->fd, 41, buffer + 41 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_EQ(PROFIL_REGION_ON, state_of(self->fd, 0));
}

/*
 * A page that is pinned cannot be collapsed: START pins the first, which is in
 * the first huge page's place, and the sites from 32 on are in the second's.
 */
TEST_F(profil, counters_are_found_after_a_collapse_to_huge_pages)
{
	char *buffer = new_huge(4 * MIB), *counters;
	size_t page = page_size(), at;

	if (!buffer)
		SKIP(return, "no transparent huge pages here");
	counters = buffer + 2 * MIB - 32 * page;
	madvise(buffer, 4 * MIB, MADV_NOHUGEPAGE);
	for (at = 0; at < 4 * MIB; at += page)
		buffer[at] = 0;
	madvise(buffer, 4 * MIB, MADV_HUGEPAGE);
	ASSERT_OK(start_sized(self->fd, counters, 2 * MIB, PAGE_SCALE));
	if (madvise(buffer + 2 * MIB, 2 * MIB, MADV_COLLAPSE))
		TH_LOG("not collapsed: %s", strerror(errno));
	EXPECT_TRUE(hit_till(self->fd, 10, counters + 10 * page, 8, 1));
	EXPECT_TRUE(hit_till(self->fd, 40, counters + 40 * page, 8, 1));
	EXPECT_EQ(0, stats_now(self->fd).lost);
	EXPECT_EQ(PROFIL_REGION_ON, state_of(self->fd, 0));
}

/*
 * Races: threads hit the counters all the time, while the page under them is
 * replaced. Once the call has returned, what is there must stay as it is.
 */
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

/* mprotect promises the same: read-only memory does not change. */
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
