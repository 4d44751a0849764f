// SPDX-License-Identifier: GPL-2.0-only
/*
 * A user has had a session, and has a process that is starved in the kernel. ftrace
 * waits for such a process when a hook is detached, and who needs ftrace waits for
 * ftrace: so the hooks remain when the last session has ended.
 */
#include "harness.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "module.h"
#include "starvation.h"

/* A driver that detaches after a while does it after ten seconds. */
#define WHILE_NS (11 * NSEC_PER_SEC)

#define READ_BYTES 0x200000UL
#define READS 1024

/* A second in the kernel, in which the process is preempted and never sleeps */
static void read_zeros(void *unused)
{
	static struct iovec reads[READS];
	void *to = new_pages(READ_BYTES);
	int i, fd = open("/dev/zero", O_RDONLY);

	(void)unused;
	for (i = 0; i < READS; i++)
		reads[i] = (struct iovec){ to, READ_BYTES };
	if (!to || fd < 0 || starve())
		_exit(1);
	for (;;)
		readv(fd, reads, READS);
}

static int start_and_stop(void *device)
{
	int fd = *(int *)device;
	void *counters = new_pages(page_size());
	int error = start_sites(fd, counters, 4, 0);

	return error ?: stop(fd, NULL);
}

/* Takes the lock that loading a module takes, too. */
static int use_ftrace(void *unused)
{
	(void)unused;
	return enable_ftrace("1");
}

TEST_F(profil, hooks_remain_and_delay_no_other_user)
{
	uid_t user = new_user();
	pid_t starved;
	int hooks;

	if (!starvation_works() || hooked_functions() < 0)
		SKIP(return, "needs root, two CPUs and tracefs");
	ASSERT_TRUE(returns_for(user, start_and_stop, &self->fd));
	hooks = hooked_as_intended();
	if (!hooks)
		SKIP(return, "ftrace does not hook the kernel");
	ASSERT_OK(starvation_prepare());
	starvation_begin();
	starved = fork_user(user, read_zeros, NULL);
	ASSERT_LT(0, starved);
	sleep_ns(WHILE_NS);
	EXPECT_TRUE(returns_for(0, use_ftrace, NULL));
	EXPECT_TRUE(returns_for(new_user(), start_and_stop, &self->fd));
	EXPECT_EQ(0, waitpid(starved, NULL, WNOHANG));
	starvation_end();
	kill(starved, SIGKILL);
	EXPECT_EQ(hooks, hooked_as_intended());
}

TEST_HARNESS_MAIN
