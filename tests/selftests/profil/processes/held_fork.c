// SPDX-License-Identifier: GPL-2.0-only
/*
 * A forked child has the session that its parent had when the address space was
 * copied, whatever the parent's other threads do before the child exists.
 *
 * fork stores the child's pidfd after the copy and before the child exists. Here
 * the pidfd is on a page that userfaultfd keeps absent: fork waits for the page
 * while another thread changes the session.
 */
#include "harness.h"
#include "absent_page.h"

#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

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
	self->fd = device_open();
	ASSERT_LE(0, self->fd);
	SKIP_UNLESS_FAST(self->fd);
	self->counters = new_pages(page_size());
	ASSERT_NE(NULL, self->counters);
	self->pidfd = new_pages(page_size());
	ASSERT_NE(NULL, self->pidfd);
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
static void check_child(struct __test_metadata *_metadata, fork_data *self,
			int (*change)(const fork_data *self),
			int (*check)(const fork_data *self))
{
	pthread_t thread;
	pid_t child;
	int status;

	self->change = change;
	ASSERT_OK(pthread_create(&thread, NULL, change_while_fork_waits, self));
	child = fork_with_pidfd(self->pidfd);
	if (!child)
		_exit(check(self));
	ASSERT_OK(pthread_join(thread, NULL));
	EXPECT_EQ(0, self->error);
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status)
	{
		TH_LOG("wait status %#x, see the check", status);
	}
	close(*self->pidfd);
}

/*
 * A session that begins after the copy
 */

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
	check_child(_metadata, self, start_new, has_no_session);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 1));
}

/*
 * A session that ends after the copy
 */

static int end_session(const fork_data *self)
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
	check_child(_metadata, self, end_session, has_old_session);
	EXPECT_EQ(0, stats_now(self->fd).flags & PROFIL_STATS_SESSION);
}

TEST_F(held_fork, session_replaced_after_the_copy_is_the_childs)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, OLD_NS));
	check_child(_metadata, self, start_new, has_old_session);
	EXPECT_EQ(NEW_NS, stats_now(self->fd).period_ns);
}

/*
 * Counters that the parent unmaps after the copy
 */

static int unmap_counters(const fork_data *self)
{
	return munmap(self->counters, page_size()) ? -errno : 0;
}

TEST_F(held_fork, counters_unmapped_after_the_copy_are_the_childs)
{
	ASSERT_OK(start_sites(self->fd, self->counters, 4, OLD_NS));
	check_child(_metadata, self, unmap_counters, has_old_session);
	EXPECT_EQ(PROFIL_REGION_UNMAPPED, region_state(self->fd, 0));
}

TEST_HARNESS_MAIN
