// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process is killed at a random moment, which often lies inside a call that waits for
 * the lock of the mappings. Its sessions end, and nothing is left of it. The torture kills
 * processes that execute a program, and those without company.
 */
#include "harness.h"

#define VICTIMS 64
#define LONGEST_NS (4 * NSEC_PER_MSEC)
#define LARGE 0x400000UL /* not pinned as a whole at START */

struct victim {
	int fd;
	void *counters; /* LARGE bytes */
	struct report *report; /* ready after some calls */
	void *pages; /* for change_mappings() */
	unsigned int nr;
};

#define MAPPED (4UL << 20)

/* Keep the lock of the mappings, so that calls wait for it. */
static void *change_mappings(void *pages)
{
	for (;;) {
		mprotect(pages, MAPPED, PROT_READ);
		mprotect(pages, MAPPED, PROT_READ | PROT_WRITE);
	}
	return NULL;
}

/* Make calls about this process, until it is killed. */
static void profile_itself(const struct victim *victim)
{
	int fd = victim->fd;
	pthread_t thread;

	if (pthread_create(&thread, NULL, change_mappings, victim->pages))
		_exit(1);
	for (unsigned int nr = 0;; nr++) {
		struct profil_stats seen = stats_blank(NULL, 0);

		madvise(victim->counters, LARGE, MADV_DONTNEED);
		if (nr % 2)
			start_spread(fd, victim->counters, LARGE, FAST_NS,
				     &victim->report->totals);
		else
			start_with_totals(fd, victim->counters, FAST_NS,
					  &victim->report->totals);
		spin(nr % NR_SITES, FAST_NS);
		stats(fd, &seen);
		if (nr % 3 == 0 && !fork())
			_exit(0);
		if (nr % 5 == 0)
			stop(fd, &seen);
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		victim->report->ready = 1;
	}
}

/* The moments are the same in each run; what they find is not. */
static void kill_at(pid_t child, const struct victim *victim)
{
	static unsigned short state[3] = { 1, 2, 3 };

	if (victim->nr % 4)
		while (!victim->report->ready)
			sleep_ns(100 * NSEC_PER_USEC);
	sleep_ns(nrand48(state) % LONGEST_NS);
	kill(child, SIGKILL);
}

static void kill_victims(struct victim *victim)
{
	struct report *report = victim->report;

	ASSERT_OK(prctl(PR_SET_CHILD_SUBREAPER, 1));
	for (victim->nr = 0; victim->nr < VICTIMS; victim->nr++) {
		pid_t child = fork();
		int status;

		ASSERT_LE(0, child);
		if (!child)
			profile_itself(victim);
		kill_at(child, victim);
		ASSERT_EQ(child, waitpid(child, &status, 0));
		ASSERT_TRUE(WIFSIGNALED(status));
		report->ready = 0;
	}
	EXPECT_TRUE(all_ended(&report->totals));
	EXPECT_LT(VICTIMS / 2, report->totals.sessions);
	TH_LOG("%llu sessions", report->totals.sessions);
}

/* No child and no child of a victim is left, and a session counts as before. */
static void check_nothing_left(const profil_data *self)
{
	while (waitpid(-1, NULL, 0) > 0)
		;
	EXPECT_EQ(ECHILD, errno);
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	if (!geteuid())
		EXPECT_TRUE(wait_for_nothing_left(1));
}

TEST_F(profil, killed_calls_leave_nothing)
{
	struct victim victim = {
		.fd = self->fd,
		.counters = new_pages(LARGE),
		.report = new_report(),
		.pages = new_pages(MAPPED),
	};

	/* mprotect() takes long with pages of which each child has a copy. */
	memset(victim.pages, 1, MAPPED);
	kill_victims(&victim);
	check_nothing_left(self);
}

TEST_HARNESS_MAIN
