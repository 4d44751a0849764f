// SPDX-License-Identifier: GPL-2.0-only
/*
 * The last descriptor of an attached session is closed by another program than
 * the one that has called START, as by a daemon that it has been sent to. The
 * session cannot end, as the server of the counters' file does not answer. The
 * other program is not delayed by that.
 */
#include "harness.h"

#include "fuse.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "report.h"
#include "tracee.h"

#define MOUNT_POINT "/tmp/profil-stuck-close"

/* START does not pin so many pages. */
#define LARGE ((size_t)FUSE_FILE_BYTES)
#define SITE_ROOM (LARGE / NR_SITES)
#define LARGE_SCALE (SITE_ROOM * (0x10000 / SITE_BYTES))

/* The counter of the site is on a page that the server does not deliver. */
static unsigned int stuck_site = NR_SITES / 2;

static int mount_fuse(struct fuse *fuse)
{
	if (unshare(CLONE_NEWNS) ||
	    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL))
		return -errno;
	if (mkdir(MOUNT_POINT, 0755) && errno != EEXIST)
		return -errno;
	return fuse_mount(fuse, MOUNT_POINT);
}

static int start_in_file(int fd, int file)
{
	void *counters =
		mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
	struct profil_region region =
		region_of(counters, LARGE, profil_sites, LARGE_SCALE);
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	if (counters == MAP_FAILED || madvise(counters, LARGE, MADV_RANDOM))
		return -errno;
	return start(fd, &args);
}

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

	err = mount_fuse(&fuse);
	if (err)
		SKIP(return, "no FUSE: %s", strerror(-err));
	file = fuse_open(&fuse, FUSE_STUCK, O_RDWR);
	ASSERT_LE(0, file);
	ASSERT_NE(NULL, stage);
	ASSERT_OK(attach_to(fd, target, 0));
	caller = fork_caller(stage, fd);
	closer = fork_closer(stage, fd);
	ASSERT_OK(start_in_file(fd, file));
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
