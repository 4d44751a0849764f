// SPDX-License-Identifier: GPL-2.0-only
/*
 * struct profil_totals: complete at the end of a session, bound to a page, and
 * at any aligned place in it.
 */
#include "harness.h"

#include <sys/mman.h>

#include "report.h"

TEST_F(profil, totals_are_complete_when_stop_returns)
{
	struct report *report = new_report();
	struct profil_totals *totals = &report->totals;
	unsigned int round;

	ASSERT_NE(NULL, report);
	for (round = 1; round <= 20; round++) {
		struct profil_totals before = *totals;
		struct profil_stats seen = stats_blank(NULL, 0);

		ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
					    totals));
		ASSERT_EQ(round, totals->sessions);
		ASSERT_EQ(round - 1, totals->ended);
		spin(1, NSEC_PER_MSEC);
		ASSERT_OK(stop(self->fd, &seen));
		ASSERT_EQ(round, totals->ended);
		EXPECT_EQ(before.samples + seen.samples, totals->samples);
		EXPECT_EQ(before.hits + seen.hits, totals->hits);
		EXPECT_EQ(before.outside + seen.outside, totals->outside);
		EXPECT_EQ(before.lost + seen.lost, totals->lost);
		EXPECT_EQ(before.kernel_samples + seen.kernel_samples,
			  totals->kernel_samples);
	}
	EXPECT_EQ(totals->hits, counters_sum(self->counters, 4, NR_SITES));
}

TEST_F(profil, replaced_session_has_ended)
{
	struct report *report = new_report();
	void *other = new_pages(page_size());
	struct profil_totals *totals;

	ASSERT_NE(NULL, report);
	ASSERT_NE(NULL, other);
	totals = &report->totals;
	ASSERT_OK(start_with_totals(self->fd, other, FAST_NS, totals));
	ASSERT_TRUE(spin_until(1, other, 4, 3));
	ASSERT_OK(start_sites(self->fd, self->counters, 4, FAST_NS));
	EXPECT_EQ(1, totals->ended);
	EXPECT_EQ(totals->hits, counter(other, 4, 1));
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	EXPECT_EQ(totals->hits, counter(other, 4, 1));
}

/* Memory mapped later at the address of the totals is not written. */
TEST_F(profil, totals_are_bound_to_a_page_not_an_address)
{
	struct report *report = new_report();
	char *again;

	ASSERT_NE(NULL, report);
	ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
				    &report->totals));
	again = mmap(report, page_size(), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	ASSERT_EQ((char *)report, again);
	EXPECT_TRUE(spin_until(1, self->counters, 4, 3));
	ASSERT_OK(stop(self->fd, NULL));
	EXPECT_TRUE(all_bytes(again, 0, page_size()));
}

TEST_F(profil, totals_may_be_anywhere_in_a_page)
{
	const size_t step = sizeof(struct profil_totals);
	struct profil_totals *totals = new_shared(page_size());
	size_t i, rest, nr = page_size() / step;

	ASSERT_NE(NULL, totals);
	ASSERT_EQ(128, step);
	for (i = 0; i < nr; i++) {
		ASSERT_OK(start_with_totals(self->fd, self->counters, FAST_NS,
					    &totals[i]));
		ASSERT_OK(stop(self->fd, NULL));
		EXPECT_EQ(1, totals[i].sessions);
		EXPECT_EQ(1, totals[i].ended);
		EXPECT_TRUE(all_bytes(totals[i].reserved, 0,
				      sizeof(totals[i].reserved)));
		rest = (nr - i - 1) * step;
		EXPECT_TRUE(all_bytes(totals + i + 1, 0, rest));
	}
}

TEST_HARNESS_MAIN
