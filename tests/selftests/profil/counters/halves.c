// SPDX-License-Identifier: GPL-2.0-only
/*
 * Regions in two halves. One region has the known ways into the kernel, with a
 * counter for each byte of text, and the overflow bin has all other PCs. All
 * counters of kernel mode together therefore have the number that STATS returns.
 */
#include "harness.h"

#include "buffer.h"

#define WIDTH 4
#define HALF ((size_t)WIDTH * KERNEL_ENTRY_BYTES)
#define REST 1024 /* place of the overflow bin */
#define ENOUGH 20

struct halves {
	struct profil_region regions[2];
	struct profil_start start;
};

static void split(struct halves *halves, void *calls, size_t half, void *rest)
{
	halves->regions[0] =
		region_of(calls, 2 * half, (void *)do_call, WIDTH * 0x10000);
	halves->regions[0].flags = PROFIL_REGION_SPLIT;
	halves->regions[1] = region_of(rest, 2 * WIDTH, NULL, 0);
	halves->regions[1].flags = PROFIL_REGION_SPLIT | PROFIL_REGION_OVERFLOW;
	halves->start = start_of(halves->regions, 2, WIDTH, FAST_NS);
	halves->start.flags = PROFIL_F_BYTES;
}

static void split_page(struct halves *halves, void *counters)
{
	split(halves, counters, HALF, (char *)counters + REST);
}

/* Sum of all counters of a mode */
static __u64 sum_of(const struct halves *halves, bool kernel)
{
	__u64 sum = 0;

	for (int i = 0; i < 2; i++) {
		const struct profil_region *region = &halves->regions[i];
		const char *base = (const char *)(uintptr_t)region->base;
		size_t half = region->size / 2;

		sum += counters_sum(base + kernel * half, WIDTH, half / WIDTH);
	}
	return sum;
}

/* Make cheap system calls. */
static void call_for_a_while(void)
{
	for (int i = 0; i < 30000; i++)
		do_call(SYS_getppid, 0, 0, 0);
}

/*
 * Make calls until counter @at is @count; STATS has deferred samples recorded, and
 * has samples in kernel mode itself.
 */
static bool call_until(int fd, const void *at, __u64 count)
{
	return EVENTUALLY(counter(at, WIDTH, 0) >= count,
			  (call_for_a_while(), stats_now(fd)));
}

/* The counter of kernel mode for the call */
static const void *call_counter(const struct halves *halves)
{
	const struct profil_region *calls = &halves->regions[0];
	size_t pc = (size_t)(after_call - (const char *)do_call);

	return (const char *)(uintptr_t)calls->base +
	       WIDTH * (calls->size / (2 * WIDTH) + pc);
}

/* STOP: each counter has the samples of its mode. */
static void check_sums(int fd, const struct halves *halves)
{
	struct profil_stats seen = end_session(fd);

	EXPECT_EQ(0, seen.lost);
	EXPECT_EQ(0, seen.outside);
	EXPECT_EQ(seen.kernel_samples, sum_of(halves, true));
	EXPECT_EQ(seen.samples - seen.kernel_samples, sum_of(halves, false));
}

TEST_F(profil, the_second_half_counts_kernel_mode)
{
	struct halves halves;

	split_page(&halves, self->counters);
	ASSERT_OK(start(self->fd, &halves.start));
	EXPECT_TRUE(call_until(self->fd, call_counter(&halves), ENOUGH));
	check_sums(self->fd, &halves);
}

/* The PC is exact to the byte: that of the loop. */
TEST_F(profil, the_first_half_counts_user_mode)
{
	struct profil_region region = region_of(self->counters, 2 * WIDTH * 16,
						site(3), WIDTH * 0x10000);
	struct profil_start args = start_of(&region, 1, WIDTH, FAST_NS);
	struct profil_stats seen = stats_blank(NULL, 0);
	const char *kernel = (char *)self->counters + WIDTH * 16;

	region.flags = PROFIL_REGION_SPLIT;
	args.flags = PROFIL_F_BYTES;
	ASSERT_OK(start(self->fd, &args));
	EXPECT_TRUE(spin_until_at(3, (__u32 *)self->counters + SITE_LOOP, WIDTH,
				  ENOUGH));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, WIDTH, 32));
	EXPECT_GE(seen.kernel_samples, counters_sum(kernel, WIDTH, 16));
}

/* Large buffers are not pinned by START, so the first samples are deferred. */
TEST_F(profil, deferred_samples_keep_their_mode)
{
	char *counters = new_reserved(2 * LARGE);
	struct halves halves;

	split(&halves, counters, LARGE, self->counters);
	ASSERT_OK(start(self->fd, &halves.start));
	EXPECT_TRUE(call_until(self->fd, call_counter(&halves), ENOUGH));
	check_sums(self->fd, &halves);
	munmap(counters, 2 * LARGE);
}

TEST_F(profil, user_only_leaves_the_second_half)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	struct halves halves;

	split_page(&halves, self->counters);
	halves.start.flags |= PROFIL_F_USER_ONLY;
	ASSERT_OK(start(self->fd, &halves.start));
	EXPECT_TRUE(EVENTUALLY(stats_now(self->fd).kernel_samples >= ENOUGH,
			       call_for_a_while()));
	ASSERT_OK(stop(self->fd, &seen));
	EXPECT_EQ(seen.hits, sum_of(&halves, false));
	EXPECT_EQ(0, sum_of(&halves, true));
}

TEST_F(profil, a_full_counter_of_either_half_stops)
{
	size_t at = (size_t)(after_call - (const char *)do_call);
	__u32 *kernel = (__u32 *)self->counters + HALF / WIDTH;
	struct halves halves;

	split_page(&halves, self->counters);
	halves.start.flags |= PROFIL_F_STOP_AT_32767;
	kernel[at] = 32766;
	ASSERT_OK(start(self->fd, &halves.start));
	EXPECT_TRUE(EVENTUALLY(stats_now(self->fd).flags & PROFIL_STATS_FULL,
			       call_for_a_while()));
	end_session(self->fd);
	EXPECT_EQ(32767, kernel[at]);
}

/* What makes no counter of both halves is not written. */
TEST_F(profil, the_size_is_rounded_down_to_two_halves)
{
	size_t odd = 2 * WIDTH - 1;
	char *counters = self->counters;
	struct halves halves;

	memset(counters, POISON, page_size());
	memset(counters, 0, 2 * HALF);
	memset(counters + REST, 0, 2 * WIDTH);
	split_page(&halves, counters);
	halves.regions[0].size += odd;
	halves.regions[1].size += odd;
	ASSERT_OK(start(self->fd, &halves.start));
	EXPECT_TRUE(call_until(self->fd, call_counter(&halves), ENOUGH));
	halves.regions[0].size -= odd;
	halves.regions[1].size -= odd;
	check_sums(self->fd, &halves);
	EXPECT_TRUE(all_bytes(counters + 2 * HALF, POISON, REST - 2 * HALF));
	EXPECT_TRUE(all_bytes(counters + REST + 2 * WIDTH, POISON,
			      page_size() - REST - 2 * WIDTH));
}

TEST_F(profil, both_halves_have_to_be_writable)
{
	size_t page = page_size();
	char *end = new_at_hole(page);
	struct halves halves;

	split(&halves, end, page / 2, self->counters);
	EXPECT_OK(start(self->fd, &halves.start));
	split(&halves, end, page, self->counters);
	EXPECT_EQ(-EFAULT, start(self->fd, &halves.start));
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
	split(&halves, end + 1, page / 4, self->counters);
	EXPECT_EQ(-EINVAL, start(self->fd, &halves.start));
	ASSERT_OK(stop(self->fd, NULL));
}

/* Either half ends the region with its mapping. */
TEST_F(profil, unmapping_the_second_half_ends_the_region)
{
	size_t page = page_size();
	char *counters = new_pages(2 * page);
	struct halves halves;

	split(&halves, counters, page, self->counters);
	ASSERT_OK(start(self->fd, &halves.start));
	ASSERT_OK(munmap(counters + page, page));
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
	EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 1));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_bytes(counters + 0x800, 0, page - 0x800));
}

TEST_HARNESS_MAIN
