// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages that START and samples pin and charge. START refuses a buffer that is not mapped
 * or not writable, as a whole or in part.
 */
#include "harness.h"

#include "absent_page.h"
#include "buffer.h"

TEST_F(profil, small_buffer_above_the_limit_is_refused)
{
	size_t page = page_size();
	char *buffer = new_pages(8 * page);

	ASSERT_OK(become_user(new_user(), 4));
	EXPECT_EQ(-ENOMEM, start_buffer(self->fd, buffer, 5 * page, 0x10000));
	EXPECT_EQ(0, stats_now(self->fd).flags);
	EXPECT_EQ(0, status_pages("VmPin:"));
	/* STOP returns what START has charged, each time */
	for (unsigned int round = 0; round < 50; round++) {
		ASSERT_OK(start_buffer(self->fd, buffer, 4 * page, 0x10000));
		ASSERT_EQ(4, stats_now(self->fd).pinned_pages);
		ASSERT_EQ(4, status_pages("VmPin:"));
		ASSERT_OK(stop(self->fd, NULL));
		ASSERT_EQ(0, status_pages("VmPin:"));
	}
}

TEST_F(profil, failed_start_returns_its_charge)
{
	size_t page = page_size();
	char *buffer = new_at_hole(3 * page);

	ASSERT_OK(become_user(new_user(), 8));
	for (unsigned int round = 0; round < 20; round++) {
		ASSERT_EQ(-EFAULT,
			  start_buffer(self->fd, buffer, 4 * page, 0x10000));
		ASSERT_EQ(0, status_pages("VmPin:"));
	}
}

TEST_F(profil, large_buffer_above_the_limit_counts_up_to_the_limit)
{
	char *buffer = new_pages(LARGE);
	__u64 until = wall_ns() + TIMEOUT_NS;
	struct profil_stats seen;
	unsigned int round;

	madvise(buffer, LARGE, MADV_NOHUGEPAGE);
	ASSERT_OK(become_user(new_user(), 3));
	ASSERT_OK(start_buffer(self->fd, buffer, LARGE, PAGE_SCALE));
	for (round = 0; !stats_now(self->fd).lost && wall_ns() < until; round++)
		EXPECT_TRUE(spin_until_samples(self->fd, 10 + round % 10, 3));
	EXPECT_GE(3, status_pages("VmPin:"));
	EXPECT_EQ(PROFIL_REGION_LIMIT, region_state(self->fd, 0));
	ASSERT_LE(1, stats_now(self->fd).pinned_pages);
	seen = end_session(self->fd);
	EXPECT_LT(0, seen.lost);
	EXPECT_LT(0, seen.hits);
	EXPECT_EQ(seen.hits, counters_sum(buffer, 8, LARGE / 8));
	EXPECT_EQ(0, status_pages("VmPin:"));
}

TEST_F(profil, limit_does_not_apply_with_cap_ipc_lock)
{
	struct rlimit none = { 0, 0 };

	ASSERT_OK(setrlimit(RLIMIT_MEMLOCK, &none));
	EXPECT_OK(start_buffer(self->fd, self->counters, 512, SITE_SCALE(8)));
	EXPECT_TRUE(spin_until(3, self->counters, 8, 2));
}

static long own_faults(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_minflt;
}

/* A fault is charged to the sampled thread, with all that it costs. */
TEST_F(profil, sampled_thread_faults_for_its_counters)
{
	size_t size = LARGE;
	char *buffer = new_reserved(size);
	__u64 pinned;
	long before;

	madvise(buffer, size, MADV_NOHUGEPAGE);
	ASSERT_OK(start_buffer(self->fd, buffer, size, PAGE_SCALE));
	EXPECT_TRUE(hit_until(self->fd, 0, buffer, 8, 1));
	before = own_faults(); /* and code after this may be sampled, too */
	pinned = stats_now(self->fd).pinned_pages;
	for (unsigned int i = 10; i < 30; i++)
		EXPECT_TRUE(spin_until_samples(self->fd, i, 3));
	pinned = stats_now(self->fd).pinned_pages - pinned;
	EXPECT_LT(0, pinned);
	EXPECT_LE(before + (long)pinned, own_faults());
}

TEST_F(profil, large_sparse_buffer_pins_only_its_hot_pages)
{
	size_t size = (sizeof(long) == 8 ? 1024 : 256) * MIB, before;
	char *buffer = new_reserved(size);
	__u64 begin;

	madvise(buffer, size, MADV_NOHUGEPAGE);
	before = status_pages("VmRSS:");
	begin = wall_ns();
	ASSERT_OK(start_buffer(self->fd, buffer, size, PAGE_SCALE));
	TH_LOG("START of %zu MiB: %llu us", size / MIB,
	       (wall_ns() - begin) / NSEC_PER_USEC);
	EXPECT_GE(64, stats_now(self->fd).pinned_pages);
	EXPECT_TRUE(hit_until(self->fd, 0, buffer, 8, 2));
	EXPECT_TRUE(hit_until(self->fd, 20, buffer + 20 * page_size(), 8, 1));
	EXPECT_TRUE(hit_until(self->fd, 40, buffer + 40 * page_size(), 8, 1));
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
	int err;

	for (__u32 i = 0; regions && i < nr; i++)
		regions[i] = region_of(buffer + i * page, size - i * page,
				       site(0), PAGE_SCALE);
	err = regions ? start(fd, &args) : -ENOMEM;
	free(regions);
	return err;
}

TEST_F(profil, start_checks_one_page_of_a_mapping_for_all_regions)
{
	char *buffer = new_reserved(LARGE);

	madvise(buffer, LARGE, MADV_NOHUGEPAGE);
	ASSERT_OK(start_overlapping(self->fd, buffer, LARGE, 1000));
	/* one page for START, and a few for samples */
	EXPECT_GT(100, stats_now(self->fd).pinned_pages);
}

/* START checks each mapping once, however the regions overlap. */
TEST_F(profil, start_checks_every_mapping_of_overlapping_regions)
{
	size_t page = page_size(), nr = 500, at;
	char *buffer = new_reserved(nr * page);

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
 * START refuses a page that is not mapped, @protection -1, or not writable, at the
 * beginning, in the middle and at the end.
 */
static void check_bad_page(int fd, size_t pages, int protection)
{
	size_t page = page_size(), bad;

	for (bad = 0; bad < pages; bad += (pages - 1) / 2) {
		char *buffer = new_pages(pages * page);
		char *at = buffer + bad * page;

		ASSERT_OK(protection < 0 ? munmap(at, page) :
					   mprotect(at, page, protection));
		EXPECT_EQ(-EFAULT,
			  start_buffer(fd, buffer, pages * page, 0x10000));
		EXPECT_EQ(0, stats_now(fd).flags);
		munmap(buffer, pages * page);
	}
}

TEST_F(profil, buffer_with_a_bad_page_is_refused)
{
	static const int protections[] = { -1, PROT_READ, PROT_NONE };

	for (unsigned int i = 0; i < 3; i++) {
		check_bad_page(self->fd, 3, protections[i]);
		check_bad_page(self->fd, 63, protections[i]);
		check_bad_page(self->fd, LARGE / page_size() + 1,
			       protections[i]);
	}
}

TEST_F(profil, incomplete_last_counter_needs_no_memory)
{
	size_t page = page_size();
	char *buffer = new_at_hole(page);

	EXPECT_OK(start_buffer(self->fd, buffer, page + 7, SITE_SCALE(8)));
	EXPECT_EQ(-EFAULT,
		  start_buffer(self->fd, buffer, page + 8, SITE_SCALE(8)));
	EXPECT_OK(start_buffer(self->fd, buffer, page + 7, SITE_SCALE(8)));
	EXPECT_TRUE(spin_until(3, buffer, 8, 2));
}

/* START must not wait: its own thread may be the one that serves the fault. */
TEST_F(profil, memory_under_userfaultfd_is_refused_without_waiting)
{
	char *pages = new_pages(page_size());
	int uffd = absent_page_keep(pages);

	if (uffd < 0)
		SKIP(return, "no userfaultfd");
	EXPECT_EQ(-EFAULT, start_buffer(self->fd, pages, 512, 0x10000));
	close(uffd);
	EXPECT_OK(start_buffer(self->fd, pages, 512, 0x10000));
}

TEST_HARNESS_MAIN
