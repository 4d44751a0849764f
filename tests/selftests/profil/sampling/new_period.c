// SPDX-License-Identifier: GPL-2.0-only
/*
 * A session is replaced by one of another period, again and again, while a program
 * that it samples runs on another CPU: a timer that expires in between finds the
 * next session. Each sample is in the totals, and in a counter.
 */
#include "harness.h"

#include "report.h"
#include "tracee.h"

#define ROUNDS 100
#define SITE 5

static const __u64 periods[] = { 100 * NSEC_PER_USEC, 150 * NSEC_PER_USEC };

static void replace_often(struct __test_metadata *_metadata,
			  const profil_data *self, struct profil_totals *totals)
{
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		__u64 period_ns = periods[round % ARRAY_LENGTH(periods)];

		ASSERT_OK(start_with_totals(self->fd, self->counters, period_ns,
					    totals));
		ASSERT_EQ(period_ns, stats_now(self->fd).period_ns);
	}
	EXPECT_TRUE(wait_for_count(self->fd, self->counters, SITE,
				   counter(self->counters, 4, SITE) + 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_ended(totals));
	EXPECT_EQ(ROUNDS, totals->sessions);
	EXPECT_EQ(0, totals->lost);
	EXPECT_EQ(totals->hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, threads_are_sampled_while_the_period_changes)
{
	struct report *report = new_report();

	ASSERT_NE(NULL, report);
	ASSERT_OK(busy_threads_begin(1, SITE, false));
	replace_often(_metadata, self, &report->totals);
	busy_threads_end();
}

TEST_F(profil, attached_process_is_sampled_while_the_period_changes)
{
	struct report *report = new_report();
	unsigned int site = SITE;
	pid_t pid = tracee_that_spins(&site);

	ASSERT_NE(NULL, report);
	ASSERT_LT(0, pid);
	ASSERT_OK(attach_to(self->fd, pid, 0));
	tracee_release(pid);
	replace_often(_metadata, self, &report->totals);
	kill_child(pid);
}

TEST_HARNESS_MAIN
