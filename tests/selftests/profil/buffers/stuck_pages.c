// SPDX-License-Identifier: GPL-2.0-only
/*
 * The programs of one user have counters in a file whose server never answers, so that
 * they wait for its pages. Another user loses no sample.
 */
#include "harness.h"

#include "buffer.h"

#define MOUNT_POINT "/tmp/profil-blocked"
#define HOSTILE 65533
#define OTHER 65532

/* More than the works of a user in the guest */
#define PROGRAMS 64

/* Take samples whose pages the server does not deliver. */
static void run_hostile(int fd, int file)
{
	void *counters = stuck_counters_map(file);

	if (setuid(HOSTILE) || !counters ||
	    start_buffer(fd, counters, STUCK_BYTES, STUCK_SCALE))
		_exit(1);
	for (;;)
		spin(STUCK_SITE, NSEC_PER_MSEC);
}

/*
 * Spin at every site until its counter, on a page of its own, is 1. A sample at
 * the return behind a loop has another counter, where the loop is 8 bytes long.
 */
static int run_other(int fd)
{
	struct profil_stats seen = stats_blank(NULL, 0);
	char *counters = new_pages(STUCK_BYTES);
	size_t room = STUCK_BYTES / NR_SITES;

	/*
	 * Each site pins a page: with huge ones the user's limit is reached.
	 * Kernels without them, as PREEMPT_RT, refuse the advice.
	 */
	if (counters)
		madvise(counters, STUCK_BYTES, MADV_NOHUGEPAGE);
	if (setuid(OTHER) || !counters ||
	    start_buffer(fd, counters, STUCK_BYTES, STUCK_SCALE))
		return 1;
	for (unsigned int i = 0; i < NR_SITES; i++)
		if (!spin_until_at(i, counters + i * room, 8, 1))
			return 2;
	if (stop(fd, &seen))
		return 3;
	if (seen.lost)
		return 4;
	if (seen.hits != counters_sum(counters, 8, STUCK_BYTES / 8))
		return 5;
	return adds_up(&seen) ? 0 : 6;
}

TEST_F(profil, user_with_stuck_pages_costs_others_no_sample)
{
	pid_t programs[PROGRAMS];
	struct fuse fuse;
	int file = fuse_open_private(&fuse, MOUNT_POINT, FUSE_STUCK);

	if (file < 0)
		SKIP(return, "no FUSE: %s", strerror(-file));
	for (unsigned int i = 0; i < PROGRAMS; i++) {
		programs[i] = IN_CHILD((run_hostile(self->fd, file), 0));
		ASSERT_TRUE(WAIT_FOR(fuse_delays(programs[i], programs[i])));
	}
	EXPECT_TRUE(CHILD_OK(run_other(self->fd)));
	for (unsigned int i = 0; i < PROGRAMS; i++)
		kill_child(programs[i]);
	EXPECT_TRUE(wait_for_nothing_left(1));
	fuse_unmount(&fuse);
}

TEST_HARNESS_MAIN
