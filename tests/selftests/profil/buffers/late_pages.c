// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in a file whose server delivers their pages late, while samples are
 * taken at more PCs than the driver can defer: those of the first PCs are counted
 * in the end, all others are lost. A call that waits for a page can be killed, and
 * another program that closes the last descriptor does not wait.
 */
#include "harness.h"

#include <fcntl.h>

#include "buffer.h"
#include "common.h"

#define MOUNT_POINT "/tmp/profil-late"

/* The PCs of deferred samples */
#define DEFERRED_MAX 256

/* START does not pin so many pages. */
#define PAGES 65

/* Far more than are needed to find DEFERRED_MAX of the jumps */
#define SAMPLES 2000

#define JUMPS 1024
#ifdef __aarch64__
#define JUMP "b"
#define JUMP_BYTES 4U
#else
#define JUMP "jmp"
#define JUMP_BYTES 2U
#endif

/* Jumps to the next instruction: an emulator takes an interrupt behind each. */
static __attribute__((noinline, aligned(64))) void jump(void)
{
	__asm__ volatile(".rept 1024\n" JUMP " 1f\n1:\n.endr\n");
}

/* The first jump has the first counter of the second page. */
static int start_jumps(int fd, void *counters, struct profil_totals *totals)
{
	const char *text = (const char *)jump - page_size() / 8 * JUMP_BYTES;

	return start_one(fd,
			 region_of(counters, PAGES * page_size(), text,
				   0x10000 / JUMP_BYTES * 8),
			 8, FAST_NS, 0, totals);
}

/* Another session of this process, whose STATS wait for no page */
static int start_meter(int fd, void *counters)
{
	int error = attach_untraced(fd, getpid(), 0);

	return error ? error : start_sites(fd, counters, 4, FAST_NS);
}

static void jump_often(void)
{
	unsigned int i;

	for (i = 0; i < 1000; i++)
		jump();
}

static bool jump_until_samples(int meter, __u64 samples)
{
	return EVENTUALLY(stats_now(meter).samples >= samples, jump_often());
}

static unsigned int nr_counted(const char *counters)
{
	unsigned int nr = 0, i;

	for (i = 0; i < JUMPS; i++)
		nr += counter(counters + page_size(), 8, i) > 0;
	return nr;
}

/*
 * Both sessions have the same period, but timers of their own. A PC may have two
 * of the places, one for each mode.
 */
static void check_account(const struct profil_stats *seen, const char *counters,
			  __u64 metered)
{
	size_t nr = PAGES * page_size() / 8;
	unsigned int counted = nr_counted(counters);

	TH_LOG("%llu samples, %llu lost, %llu metered, %u jumps counted",
	       seen->samples, seen->lost, metered, counted);
	EXPECT_TRUE(adds_up(seen));
	EXPECT_LT(metered / 4 * 3, seen->samples);
	EXPECT_EQ(seen->hits, counters_sum(counters, 8, nr));
	EXPECT_LT(0, seen->lost);
	EXPECT_GE(DEFERRED_MAX, counted);
	EXPECT_LT(DEFERRED_MAX / 4, counted);
}

TEST_F(profil, samples_at_more_pcs_than_can_be_deferred_are_lost)
{
	struct profil_totals *totals = new_shared(page_size());
	struct profil_stats seen = stats_blank(NULL, 0);
	int err, file, meter = device_open();
	struct fuse fuse;
	char *counters;

	err = fuse_mount_private(&fuse, MOUNT_POINT);
	if (err)
		SKIP(return, "no FUSE: %s", strerror(-err));
	ASSERT_LE(0, meter);
	ASSERT_OK(start_meter(meter, self->counters));
	file = fuse_open(&fuse, FUSE_LATE, O_RDWR);
	counters = stuck_counters_map(file);
	ASSERT_NE(NULL, counters);
	ASSERT_OK(start_jumps(self->fd, counters, totals));
	EXPECT_TRUE(jump_until_samples(meter, SAMPLES));
	ASSERT_OK(fuse_deliver(&fuse));
	ASSERT_OK(stop(self->fd, &seen));
	check_account(&seen, counters, stats_now(meter).samples);
	EXPECT_EQ(seen.samples, totals->samples);
	EXPECT_EQ(seen.lost, totals->lost);
	close(meter);
	fuse_unmount(&fuse);
}

/* Jump until a sample has been deferred, for which STATS waits. */
static void call_stats(int fd, int file)
{
	void *counters = stuck_counters_map(file);

	if (!counters || start_jumps(fd, counters, NULL))
		_exit(1);
	for (;;) {
		jump();
		stats_now(fd);
	}
}

/* The state of a process in /proc/PID/stat; that of such a wait is D. */
static char state_of(pid_t pid)
{
	char path[64], state = '?';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = '?';
	if (file)
		fclose(file);
	return state;
}

static bool waits(pid_t pid)
{
	unsigned int times = 0;

	return EVENTUALLY((times = state_of(pid) == 'D' ? times + 1 : 0) == 5,
			  sleep_ns(NSEC_PER_MSEC));
}

TEST_F(profil, stats_that_waits_for_a_page_can_be_killed)
{
	struct fuse fuse;
	int err, file, status;
	pid_t child;

	err = fuse_mount_private(&fuse, MOUNT_POINT);
	if (err)
		SKIP(return, "no FUSE: %s", strerror(-err));
	file = fuse_open(&fuse, FUSE_LATE, O_RDWR);
	ASSERT_LE(0, file);
	child = fork();
	if (!child)
		call_stats(self->fd, file);
	EXPECT_TRUE(waits(child));
	ASSERT_OK(kill(child, SIGKILL));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	fuse_unmount(&fuse);
}

/*
 * The last descriptor of an attached session is closed by another program than
 * the one that has called START, as by a daemon that it has been sent to. The
 * session cannot end, as the server of the counters' file does not answer. The
 * other program is not delayed by that.
 */
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
	stage->last = wall_ns();
	stage->started = true;
	return EVENTUALLY(wall_ns() >= stage->last + 3 * NSEC_PER_SEC,
			  sleep_ns(NSEC_PER_MSEC));
}

static bool ends_in_time(pid_t pid)
{
	return EVENTUALLY(waitpid(pid, NULL, WNOHANG), sleep_ns(NSEC_PER_MSEC));
}

TEST_F(profil, other_program_closes_without_delay)
{
	pid_t target = tracee_that_spins(STUCK_SITE), caller, closer;
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
