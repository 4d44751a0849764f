// SPDX-License-Identifier: GPL-2.0-only
/*
 * Errors of ATTACH, and those of the other commands on an attached descriptor.
 * An ATTACH that fails changes nothing.
 */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"
#include "tracee.h"

#define SITE 5

static unsigned int spin_site = SITE;

/* Commands on the descriptor are about the caller's own session, as before. */
static bool is_unattached(const profil_data *self)
{
	bool own = !start_sites(self->fd, self->counters, 4, FAST_NS) &&
		   spin_until(8, self->counters, 4,
			      counter(self->counters, 4, 8) + 1);

	return own && !stop(self->fd, NULL) && !stats_now(self->fd).flags;
}

static struct profil_attach attach_of(int pidfd)
{
	return (struct profil_attach){ .size = sizeof(struct profil_attach),
				       .pidfd = pidfd };
}

static int try(int fd, const struct profil_attach *attach)
{
	return call(fd, PROFIL_IOC_ATTACH, attach);
}

TEST_F(profil, structure_is_checked_first)
{
	struct {
		struct profil_attach attach;
		__u64 tail;
	} longer = { attach_of(-1), 0 };
	struct profil_attach attach = attach_of(-1);
	char *end = new_at_hole(8);

	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_ATTACH, NULL));
	ASSERT_NE(NULL, end);
	memcpy(end, &attach, 8);
	EXPECT_EQ(-EFAULT, call(self->fd, PROFIL_IOC_ATTACH, end));
	attach.size = sizeof(attach) - 1;
	EXPECT_EQ(-EINVAL, try(self->fd, &attach));
	attach.size = 4097;
	EXPECT_EQ(-E2BIG, try(self->fd, &attach));
	longer.attach.size = sizeof(longer);
	EXPECT_EQ(-EBADF, try(self->fd, &longer.attach));
	longer.tail = 1;
	EXPECT_EQ(-E2BIG, try(self->fd, &longer.attach));
	EXPECT_TRUE(is_unattached(self));
}

TEST_F(profil, unknown_flags_and_reserved_are_refused)
{
	struct profil_attach attach = attach_of(-1);
	unsigned int bit;

	for (bit = 1; bit < 32; bit++) {
		attach.flags = 1U << bit;
		EXPECT_EQ(-EINVAL, try(self->fd, &attach));
	}
	for (bit = 0; bit < 32; bit++) {
		attach = attach_of(-1);
		attach.reserved = 1U << bit;
		EXPECT_EQ(-EINVAL, try(self->fd, &attach));
	}
	EXPECT_TRUE(is_unattached(self));
}

TEST_F(profil, other_descriptors_are_no_pidfds)
{
	int ends[2], fds[4], i;

	ASSERT_OK(pipe(ends));
	fds[0] = ends[0];
	fds[1] = self->fd;
	fds[2] = open("/proc/self", O_RDONLY | O_DIRECTORY);
	fds[3] = memfd_create("pidfd", 0);
	for (i = 0; i < 4; i++) {
		ASSERT_LE(0, fds[i]);
		EXPECT_EQ(-EBADF, attach_by(self->fd, fds[i], 0));
	}
	EXPECT_EQ(-EBADF, attach_by(self->fd, -1, 0));
	EXPECT_EQ(-EBADF, attach_by(self->fd, 1 << 20, 0));
	EXPECT_TRUE(is_unattached(self));
}

/* The process has ended; a parent that does not wait keeps its number. */
TEST_F(profil, process_without_memory_is_not_found)
{
	siginfo_t info;
	pid_t pid = fork();
	int pidfd;

	if (!pid)
		_exit(0);
	pidfd = pidfd_of(pid);
	ASSERT_LE(0, pidfd);
	ASSERT_OK(waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(-ESRCH, attach_by(self->fd, pidfd, 0));
	waitpid(pid, NULL, 0);
	EXPECT_EQ(-ESRCH, attach_by(self->fd, pidfd, 0));
	EXPECT_EQ(-ESRCH, attach_to(self->fd, 2, 0)); /* a kernel thread */
	EXPECT_TRUE(is_unattached(self));
}

TEST_F(profil, address_space_has_one_attached_descriptor)
{
	pid_t pid = tracee_that_spins(&spin_site);
	int other = device_open();

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	EXPECT_EQ(-EALREADY, attach_to(self->fd, pid, 0));
	EXPECT_EQ(-EBUSY, attach_to(other, pid, PROFIL_ATTACH_CHILDREN));
	/* A descriptor that is not attached is about this process. */
	EXPECT_OK(start_sites(other, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(SITE, self->counters, 4, 1));
	EXPECT_OK(stop(other, NULL));
	ASSERT_OK(close(self->fd));
	EXPECT_OK(attach_to(other, pid, 0));
	kill_child(pid);
	ASSERT_LE(0, dup2(other, self->fd));
}

/* START on an attached descriptor checks as START does, and keeps the session. */
TEST_F(profil, failed_start_keeps_the_attached_session)
{
	pid_t pid = tracee_that_spins(&spin_site);
	struct profil_region region;
	struct profil_start bad;

	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	tracee_release(pid);
	region = sites_region(self->counters + 1, 4);
	bad = start_of(&region, 1, 4, FAST_NS);
	EXPECT_EQ(-EINVAL, start(self->fd, &bad));
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, spin_site, 3));
	kill_child(pid);
}

TEST_HARNESS_MAIN
