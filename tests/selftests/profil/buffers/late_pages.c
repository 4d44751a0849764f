// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counters in a file whose server delivers their pages late, while samples are
 * taken at more PCs than the driver can defer: those of the first PCs are counted
 * in the end, all others are lost. A call that waits for a page can be killed.
 */
#include "harness.h"

#include "buffer.h"
#include "table.h"

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

/* A table of this process, whose TAKE waits for no page */
static int begin_meter(struct table *meter, int fd)
{
	int error =
		table_begin(meter, fd, table_args(PROFIL_TABLE_TREE, FAST_NS));

	return error ?: table_add_traced(meter, getpid(), 0);
}

static __u64 metered(struct table *meter)
{
	EXPECT_OK(table_take(meter, 0));
	return meter->sum.ticks;
}

/* Longer than a TAKE, which has samples as well, at one PC */
static void jump_often(void)
{
	__u64 end = wall_ns() + 100 * NSEC_PER_MSEC;

	while (wall_ns() < end)
		for (unsigned int i = 0; i < 1000; i++)
			jump();
}

static bool jump_until_samples(struct table *meter, __u64 samples)
{
	return EVENTUALLY(metered(meter) >= samples, jump_often());
}

static unsigned int nr_counted(const char *counters)
{
	unsigned int nr = 0, i;

	for (i = 0; i < JUMPS; i++)
		nr += counter(counters + page_size(), 8, i) > 0;
	return nr;
}

/*
 * Session and table have the same period, but timers of their own. A PC may have two
 * of the places, one for each mode.
 */
static void check_account(const struct profil_stats *seen, const char *counters,
			  __u64 ticks)
{
	size_t nr = PAGES * page_size() / 8;
	unsigned int counted = nr_counted(counters);

	TH_LOG("%llu samples, %llu lost, %llu metered, %u jumps counted",
	       seen->samples, seen->lost, ticks, counted);
	EXPECT_TRUE(adds_up(seen));
	EXPECT_LT(ticks / 4 * 3, seen->samples);
	EXPECT_EQ(seen->hits, counters_sum(counters, 8, nr));
	EXPECT_LT(0, seen->lost);
	EXPECT_GE(DEFERRED_MAX, counted);
	EXPECT_LT(DEFERRED_MAX / 4, counted);
}

TEST_F(profil, samples_at_more_pcs_than_can_be_deferred_are_lost)
{
	struct profil_totals *totals = new_shared(page_size());
	struct profil_stats seen = stats_blank(NULL, 0);
	struct table meter;
	int err, file;
	struct fuse fuse;
	char *counters;

	err = fuse_mount_private(&fuse, MOUNT_POINT);
	if (err)
		SKIP(return, "no FUSE: %s", strerror(-err));
	ASSERT_OK(begin_meter(&meter, self->fd));
	file = fuse_open(&fuse, FUSE_LATE, O_RDWR);
	counters = stuck_counters_map(file);
	ASSERT_NE(NULL, counters);
	ASSERT_OK(start_jumps(self->fd, counters, totals));
	EXPECT_TRUE(jump_until_samples(&meter, SAMPLES));
	ASSERT_OK(fuse_deliver(&fuse));
	ASSERT_OK(stop(self->fd, &seen));
	check_account(&seen, counters, metered(&meter));
	EXPECT_EQ(seen.samples, totals->samples);
	EXPECT_EQ(seen.lost, totals->lost);
	table_end(&meter);
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

	return WAIT_FOR((times = state_of(pid) == 'D' ? times + 1 : 0) == 5);
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
