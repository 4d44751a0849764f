// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last descriptor of an attached session is closed by another program than
 * the one that has called START, as by a daemon that it has been sent to. The
 * session cannot end, as the server of the counters' file does not answer. The
 * other program is not delayed by that.
 */
#include "harness.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"
#include "stuck_counters.h"
#include "tracee.h"

#define MOUNT_POINT "/tmp/profil-stuck-close"

static unsigned int stuck_site = STUCK_SITE;

/*
 * What the processes share. All are forked before START: a fork waits for the
 * server, too.
 */
struct stage {
	volatile bool started;
	volatile bool closes;
	volatile __u64 last;
};

static pid_t fork_caller(struct stage *stage, int fd)
{
	pid_t pid = fork();

	while (!pid) {
		if (!stage->started)
			continue;
		stats_now(fd);
		stage->last = wall_ns();
	}
	return pid;
}

static pid_t fork_closer(const struct stage *stage, int fd)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	while (!stage->closes)
		sleep_ns(NSEC_PER_MSEC);
	_exit(close(fd) != 0);
}

/* Wait until STATS does not return: the session waits for the server. */
static bool wait_until_stuck(struct stage *stage)
{
	__u64 end = wall_ns() + TIMEOUT_NS;

	stage->last = wall_ns();
	stage->started = true;
	while (wall_ns() < stage->last + 3 * NSEC_PER_SEC) {
		if (wall_ns() > end)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

static bool ends_in_time(pid_t pid)
{
	__u64 end = wall_ns() + TIMEOUT_NS;

	while (!waitpid(pid, NULL, WNOHANG)) {
		if (wall_ns() > end)
			return false;
		sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

TEST_F(profil, other_program_closes_without_delay)
{
	pid_t target = tracee_that_spins(&stuck_site), caller, closer;
	struct stage *stage = new_shared(page_size());
	int file, err, fd = device_open();
	struct fuse fuse;
	void *counters;

	err = fuse_mount_private(&fuse, MOUNT_POINT);
	if (err)
		SKIP(return, "no FUSE: %s", strerror(-err));
	file = fuse_open(&fuse, FUSE_STUCK, O_RDWR);
	ASSERT_LE(0, file);
	counters = stuck_counters_map(file);
	ASSERT_NE(NULL, counters);
	ASSERT_NE(NULL, stage);
	ASSERT_OK(attach_to(fd, target, 0));
	caller = fork_caller(stage, fd);
	closer = fork_closer(stage, fd);
	ASSERT_OK(stuck_counters_start(fd, counters));
	tracee_release(target);
	EXPECT_TRUE(wait_until_stuck(stage));
	kill_child(caller);
	close(fd);
	stage->closes = true;
	EXPECT_TRUE(ends_in_time(closer));
	kill(closer, SIGKILL);
	fuse_unmount(&fuse);
	kill_child(target);
}

TEST_HARNESS_MAIN
