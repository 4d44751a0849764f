// SPDX-License-Identifier: GPL-2.0-only
/*
 * Children that an attached process forks are counted, too, if the descriptor
 * was attached with PROFIL_ATTACH_CHILDREN.
 */
#include "harness.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include "report.h"
#include "tracee.h"

#define CHILD 21
#define GRANDCHILD 22

/* Spin in a child and a grandchild, for as long as the parent lives. */
static int fork_twice(void *nothing)
{
	unsigned int site = CHILD;

	(void)nothing;
	if (!fork()) {
		if (!fork())
			site = GRANDCHILD;
		return spin_forever(&site);
	}
	pause();
	return 0;
}

/* All processes of the group end with their group. */
static int in_a_group(void *argument)
{
	setpgid(0, 0);
	return fork_twice(argument);
}

TEST_F(profil, children_and_grandchildren_are_followed)
{
	pid_t pid = tracee_new(in_a_group, NULL);

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, CHILD, 3));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, GRANDCHILD, 3));
	EXPECT_EQ(0, stats_now(self->fd).unprofiled_children);
	EXPECT_EQ(PROFIL_STATS_SESSION, stats_now(self->fd).flags);
	kill(-pid, SIGKILL);
	EXPECT_TRUE(wait_until_gone(self->fd));
}

/* A child that is forked between two sessions is in the second. */
TEST_F(profil, children_are_followed_without_a_session)
{
	pid_t pid = tracee_new(in_a_group, NULL);

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	tracee_release(pid);
	sleep_ns(100 * NSEC_PER_MSEC);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, CHILD, 3));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, GRANDCHILD, 3));
	kill(-pid, SIGKILL);
}

/* Let a child use CPU time, then spin at CHILD. */
static int fork_once(void *nothing)
{
	unsigned int site = CHILD;
	pid_t child = fork();

	(void)nothing;
	if (!child) {
		spin(GRANDCHILD, 20 * FAST_NS);
		_exit(0);
	}
	return exited_with(child, 0) ? spin_forever(&site) : 1;
}

TEST_F(profil, children_are_not_followed_unasked)
{
	pid_t pid = tracee_new(fork_once, NULL);

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, CHILD, 3));
	EXPECT_EQ(0, counter(self->counters, 4, GRANDCHILD));
	kill_child(pid);
}

static int spin_in_shared_space(void *nothing)
{
	unsigned int site = GRANDCHILD;

	(void)nothing;
	return spin_forever(&site);
}

static int share_space(void *nothing)
{
	char *stack = new_pages(0x10000);

	setpgid(0, 0);
	if (!stack || clone(spin_in_shared_space, stack + 0x10000,
			    CLONE_VM | SIGCHLD, nothing) < 0)
		return 1;
	pause();
	return 0;
}

TEST_F(profil, process_in_the_same_address_space_is_sampled)
{
	pid_t pid = tracee_new(share_space, NULL);

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, GRANDCHILD, 3));
	kill(-pid, SIGKILL);
	EXPECT_TRUE(wait_until_gone(self->fd));
}

/*
 * More children than the driver has memory for at once: each is followed, or
 * counted as unprofiled.
 */
#define CHILDREN 300

struct family {
	volatile int counted;
	int fd;
};

static int fork_many(void *argument)
{
	struct family *family = argument;
	int i;

	for (i = 0; i < CHILDREN; i++) {
		pid_t child = fork();

		if (!child) {
			spin(i % NR_SITES, 4 * FAST_NS);
			_exit(0);
		}
		if (!exited_with(child, 0))
			return 1;
		family->counted++;
	}
	return 0;
}

TEST_F(profil, many_children_leave_nothing_behind)
{
	struct family *family = new_shared(page_size());
	struct profil_stats seen = stats_blank(NULL, 0);
	pid_t pid = tracee_new(fork_many, family);

	ASSERT_NE(NULL, family);
	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, PROFIL_ATTACH_CHILDREN));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	EXPECT_TRUE(exited_with(pid, 0));
	EXPECT_EQ(CHILDREN, family->counted);
	EXPECT_TRUE(wait_until_gone(self->fd));
	ASSERT_OK(stop(self->fd, &seen));
	TH_LOG("%llu samples, %llu unprofiled children", seen.samples,
	       seen.unprofiled_children);
	EXPECT_TRUE(adds_up(&seen));
	EXPECT_EQ(seen.hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_HARNESS_MAIN
