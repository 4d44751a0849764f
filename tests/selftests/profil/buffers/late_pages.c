// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in a file whose server delivers their pages late, while samples are
 * taken at more PCs than the driver can defer: those of the first PCs are counted
 * in the end, all others are lost. A call that waits for a page can be killed.
 */
#include "harness.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stuck_counters.h"
#include "tracee.h"

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
	struct profil_region region = region_of(counters, PAGES * page_size(),
						text, 0x10000 / JUMP_BYTES * 8);
	struct profil_start args = start_of(&region, 1, 8, FAST_NS);

	args.totals = (uintptr_t)totals;
	return start(fd, &args);
}

/* Another session of this process, whose STATS wait for no page */
static int start_meter(int fd, void *counters)
{
	int error = attach_untraced(fd, getpid(), 0);

	return error ? error : start_sites(fd, counters, 4, FAST_NS);
}

static bool jump_until_samples(int meter, __u64 samples)
{
	__u64 until = wall_ns() + TIMEOUT_NS;
	unsigned int i;

	while (stats_now(meter).samples < samples) {
		if (wall_ns() > until)
			return false;
		for (i = 0; i < 1000; i++)
			jump();
	}
	return true;
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
static void check_account(struct __test_metadata *_metadata,
			  const struct profil_stats *seen, const char *counters,
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
	check_account(_metadata, &seen, counters, stats_now(meter).samples);
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
	__u64 until = wall_ns() + TIMEOUT_NS;
	unsigned int times = 0;

	while (times < 5 && wall_ns() < until) {
		times = state_of(pid) == 'D' ? times + 1 : 0;
		sleep_ns(NSEC_PER_MSEC);
	}
	return times == 5;
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

TEST_HARNESS_MAIN
