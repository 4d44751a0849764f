// SPDX-License-Identifier: GPL-2.0-only
/*
 * Pages shared with a forked child, and the zero page, are replaced by private
 * copies before a sample is recorded in them.
 */
#include "two_regions.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A page that was only read is the zero page, which all programs share. */
TEST_F(profil, zero_pages_are_replaced_before_counting)
{
	char *buffer = new_pages(LARGE), *other = new_pages(LARGE);

	ASSERT_NE(NULL, buffer);
	ASSERT_NE(NULL, other);
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

	ASSERT_NE(NULL, buffer);
	*(__u64 *)(buffer + place) = 1000;
	ASSERT_OK(start_buffer(self->fd, buffer, LARGE, PAGE_SCALE));
	child = fork();
	if (!child) {
		if (stop(self->fd, NULL))
			_exit(1);
		while (!*release)
			sleep_ns(NSEC_PER_MSEC);
		_exit(*(__u64 *)(buffer + place) != 1000);
	}
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

	if (!bulk)
		return false;
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
	struct profil_stats seen = stats_blank(NULL, 0);
	const char *page = buffer + 10 * page_size();
	__u64 until, hits = 0;
	unsigned int round;

	ASSERT_NE(NULL, buffer);
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
	ASSERT_OK(stop(self->fd, &seen));
	TH_LOG("%llu samples, %llu in the kernel", seen.samples,
	       seen.kernel_samples);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(0, seen.lost);
	EXPECT_LT(0, hits);
}

/* fork copies pinned pages for the child; the parent keeps the originals. */
TEST_F(profil, pinned_pages_stay_the_parents_through_fork)
{
	struct pair pair = new_pair(_metadata, self);
	volatile int *released = new_shared(page_size());
	int round;

	for (round = 0; round < 10; round++) {
		pid_t child = fork();

		if (!child) {
			stop(self->fd, NULL);
			while (*released <= round)
				sleep_ns(NSEC_PER_MSEC);
			_exit(0);
		}
		check_still_counts(_metadata, self, &pair);
		*released = round + 1;
		EXPECT_TRUE(exited_with(child, 0));
	}
	EXPECT_EQ(stats_now(self->fd).hits,
		  counter(pair.first, 4, 1) + counter(pair.second, 4, 1));
}

TEST_HARNESS_MAIN
