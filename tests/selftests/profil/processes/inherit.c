// SPDX-License-Identifier: GPL-2.0-only
/*
 * A forked child inherits the session that its parent had when the address space was
 * copied, with those counters that were copied. tests/torture changes both at any time.
 */
#include "harness.h"

#include <linux/sched.h>

#include "absent_page.h"

/* Counters that are not copied to the child */

/* The child maps other memory at the address of its parent's counters. */
static int use_hole(int fd, void *counters)
{
	void *new = mmap(counters, page_size(), PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1,
			 0);

	if (new != counters)
		return 1;
	if (!spin_until_samples(fd, 1, 1))
		return 2;
	if (!all_bytes(counters, 0, page_size()))
		return 3;
	return region_state(fd, 0) == PROFIL_REGION_UNMAPPED ? 0 : 4;
}

TEST_F(profil, child_memory_in_place_of_absent_counters_is_not_written)
{
	ASSERT_OK(madvise(self->counters, page_size(), MADV_DONTFORK));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	for (unsigned int i = 0; i < 50; i++)
		ASSERT_TRUE(CHILD_OK(use_hole(self->fd, self->counters)));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 1));
}

/* A grandchild of the program lacks counters that the child lacks. */
TEST_F(profil, grandchild_lacks_the_counters_too)
{
	ASSERT_OK(madvise(self->counters, page_size(), MADV_DONTFORK));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(CHILD_OK(!CHILD_OK(use_hole(self->fd, self->counters))));
}

/* The pages of four regions, by rising or falling addresses */
static char *page_of(char *pages, unsigned int region, bool falling)
{
	return pages + (falling ? 3 - region : region) * page_size();
}

/* Start a session of four regions, each with a page of counters. */
static int start_four(int fd, char *pages, bool falling)
{
	struct profil_region regions[4];
	struct profil_start args = start_of(regions, 4, 4, FAST_NS);

	for (unsigned int i = 0; i < 4; i++)
		regions[i] = region_of(page_of(pages, i, falling),
				       16 * sizeof(__u32), site(16 * i),
				       SITE_SCALE(4));
	return start(fd, &args);
}

/* @nr: 4 orders of rising regions, by the one without a page, then 4 of falling ones */
static int count_beside(int fd, char *pages, unsigned int nr)
{
	unsigned int hole = nr % 4;
	bool falling = nr / 4;

	for (unsigned int i = 0; i < 4; i++) {
		if (i == hole) {
			if (region_state(fd, i) != PROFIL_REGION_UNMAPPED)
				return 1;
			continue;
		}
		if (region_state(fd, i) != PROFIL_REGION_ON)
			return 2;
		if (!spin_until_at(16 * i, page_of(pages, i, falling), 4, 1))
			return 3;
	}
	return 0;
}

TEST_F(profil, regions_copied_to_the_child_count)
{
	for (unsigned int i = 0; i < 8; i++) {
		char *pages = new_pages(4 * page_size());
		unsigned int hole = i % 4;
		bool falling = i / 4;

		ASSERT_OK(madvise(page_of(pages, hole, falling), page_size(),
				  MADV_DONTFORK));
		ASSERT_OK(start_four(self->fd, pages, falling));
		EXPECT_TRUE(CHILD_OK(count_beside(self->fd, pages, i)));
		EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, hole));
	}
}

/* A region of many pages ends as a whole if one page was not copied. */
TEST_F(profil, region_with_an_absent_page_ends_in_the_child)
{
	size_t nr = 300, size = nr * page_size();
	size_t holes[] = { 0, 150, 299 }, i;

	for (i = 0; i < ARRAY_LENGTH(holes); i++) {
		char *pages = new_pages(size);

		ASSERT_OK(madvise(pages + holes[i] * page_size(), page_size(),
				  MADV_DONTFORK));
		ASSERT_OK(start_one(self->fd,
				    region_of(pages, size, profil_sites,
					      SITE_SCALE(4)),
				    4, FAST_NS, 0));
		EXPECT_TRUE(CHILD_OK(region_state(self->fd, 0) !=
				     PROFIL_REGION_UNMAPPED));
		EXPECT_EQ(PROFIL_REGION_ON, region_state(self->fd, 0));
	}
}

/* The child has the mapping, filled with zeros, and counts in it. */
TEST_F(profil, counters_with_wipeonfork_start_at_zero)
{
	ASSERT_OK(madvise(self->counters, page_size(), MADV_WIPEONFORK));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	ASSERT_TRUE(spin_until(1, self->counters, 4, 2));
	EXPECT_TRUE(CHILD_OK(counter(self->counters, 4, 1) != 0 ||
			     !spin_until(2, self->counters, 4, 1)));
	EXPECT_EQ(0, counter(self->counters, 4, 2));
}

/*
 * Changes by the parent's other threads after the copy, before the child exists
 *
 * fork stores the child's pidfd after the copy and before the child exists. Here
 * the pidfd is on a page that userfaultfd keeps absent: fork waits for the page
 * while another thread changes the session.
 */
#define DATA 0x55

/* Periods of the sessions before and after the copy. */
#define OLD_NS FAST_NS
#define NEW_NS (2 * FAST_NS)

FIXTURE(held_fork)
{
	int fd;
	void *counters; /* a page of counters, or of ordinary data */
	int uffd;
	int *pidfd; /* the absent page */
	int (*change)(const FIXTURE_DATA(held_fork) * self);
	int error; /* result of the change: 0 or a negative errno */
};

#define fork_data FIXTURE_DATA(held_fork)

FIXTURE_SETUP(held_fork)
{
	self->fd = open_device(_metadata);
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(page_size());
	self->pidfd = new_pages(page_size());
	self->uffd = absent_page_keep(self->pidfd);
	if (self->uffd < 0)
		SKIP(return, "no userfaultfd for faults of the kernel");
}

FIXTURE_TEARDOWN(held_fork)
{
	close(self->uffd);
	close(self->fd);
}

static void *change_while_fork_waits(void *argument)
{
	fork_data *self = argument;
	int error;

	self->error = -ETIMEDOUT;
	if (!absent_page_awaited(self->uffd))
		return NULL;
	self->error = self->change(self);
	error = absent_page_fill(self->uffd, self->pidfd);
	if (error)
		self->error = error;
	return NULL;
}

static pid_t fork_with_pidfd(int *pidfd)
{
	struct clone_args args = {
		.flags = CLONE_PIDFD,
		.pidfd = (uintptr_t)pidfd,
		.exit_signal = SIGCHLD,
	};

	return (pid_t)syscall(SYS_clone3, &args, sizeof(args));
}

/*
 * Fork, with @change between the copy and the child. The exit status of the
 * child is the result of @check.
 */
static void check_child(fork_data *self, int (*change)(const fork_data *self),
			int (*check)(const fork_data *self))
{
	pthread_t thread;
	pid_t child;

	self->change = change;
	ASSERT_OK(pthread_create(&thread, NULL, change_while_fork_waits, self));
	child = fork_with_pidfd(self->pidfd);
	if (!child)
		_exit(check(self));
	ASSERT_OK(pthread_join(thread, NULL));
	EXPECT_EQ(0, self->error);
	EXPECT_TRUE(exited_with(child, 0));
	close(*self->pidfd);
}

/* A session that begins after the copy */

static int start_new(const fork_data *self)
{
	memset(self->counters, 0, page_size());
	return start_sites(self->fd, self->counters, 4, NEW_NS);
}

static int has_no_session(const fork_data *self)
{
	if (stats_now(self->fd).flags & PROFIL_STATS_SESSION)
		return 1;
	spin(1, 20 * NSEC_PER_MSEC);
	return all_bytes(self->counters, DATA, page_size()) ? 0 : 2;
}

TEST_F(held_fork, session_begun_after_the_copy_is_not_the_childs)
{
	memset(self->counters, DATA, page_size());
	check_child(self, start_new, has_no_session);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 1));
}

/* A session that ends after the copy */

static int stop_session(const fork_data *self)
{
	return stop(self->fd, NULL);
}

static int has_old_session(const fork_data *self)
{
	if (stats_now(self->fd).period_ns != OLD_NS)
		return 1;
	if (region_state(self->fd, 0) != PROFIL_REGION_ON)
		return 2;
	return spin_until(1, self->counters, 4, 1) ? 0 : 3;
}

TEST_F(held_fork, session_ended_after_the_copy_is_the_childs)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, OLD_NS));
	check_child(self, stop_session, has_old_session);
	EXPECT_EQ(0, stats_now(self->fd).flags & PROFIL_STATS_SESSION);
}

TEST_F(held_fork, session_replaced_after_the_copy_is_the_childs)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, OLD_NS));
	check_child(self, start_new, has_old_session);
	EXPECT_EQ(NEW_NS, stats_now(self->fd).period_ns);
}

/* Counters that the parent unmaps after the copy */

static int unmap_counters(const fork_data *self)
{
	return munmap(self->counters, page_size()) ? -errno : 0;
}

TEST_F(held_fork, counters_unmapped_after_the_copy_are_the_childs)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, OLD_NS));
	check_child(self, unmap_counters, has_old_session);
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
}

TEST_HARNESS_MAIN
