// SPDX-License-Identifier: GPL-2.0-only
/* src/jitter.h: one sample time in each interval, spread evenly. */
#include "jitter.h"
#include "random.h"

static u32 random_period(void)
{
	static const u32 usual[] = { 100000, 1000000, 4000000, 1000000000 };
	u32 pick = (u32)random_below(8);

	return pick < ARRAY_LENGTH(usual) ?
		       usual[pick] :
		       (u32)(10000 + random_below(999990001));
}

TEST("each interval has one sample time, inside it")
{
	for (u32 i = 0; i < 1000000; i++) {
		u32 period = random_period(), skew = (u32)random_u64();
		u64 interval = random_below(1ULL << 62) / period;
		u64 at = jitter_time(interval, period, skew);

		CASE(at >= interval * period && at - interval * period < period,
		     "period %u interval %llu: %llu is outside", period,
		     interval, at);
	}
	return true;
}

/* jitter_interval_after() finds the earliest sample time after @now. */
TEST("the next sample time is the earliest after now")
{
	for (u32 i = 0; i < 1000000; i++) {
		u32 period = random_period(), skew = (u32)random_u64();
		u64 now = random_below(1ULL << 62);
		u64 interval = jitter_interval_after(now, period, skew);
		u64 next = jitter_time(interval, period, skew);
		u64 last = jitter_time(interval - 1, period, skew);

		CASE(next > now && last <= now,
		     "period %u now %llu: interval %llu", period, now,
		     interval);
	}
	return true;
}

TEST("two sample times are 0.6 to 1.7 periods apart")
{
	for (u32 i = 0; i < 1000000; i++) {
		u32 period = random_period();
		u64 interval = random_below(1ULL << 62) / period;
		u64 gap = jitter_time(interval + 1, period, 0) -
			  jitter_time(interval, period, 0);

		CASE(gap * 10 >= period * 6ULL && gap * 10 <= period * 17ULL,
		     "period %u interval %llu: %llu to the next", period,
		     interval, gap);
	}
	return true;
}

/* How many of @nr sample times are in the first @work of each @rhythm. */
static u32 samples_in_bursts(u32 period, u64 rhythm, u64 work, u64 phase,
			     u32 nr)
{
	u64 first = random_below(1ULL << 40);
	u32 found = 0, i;

	for (i = 0; i < nr; i++) {
		u64 at = jitter_time(first + i, period, 0);

		found += (at + phase) % rhythm < work;
	}
	return found;
}

/*
 * A program works an eighth to seven eighths of the time, at any phase; its
 * rhythm is a multiple or a fraction of the period. The number of samples at
 * work is its share of the time, within a tenth of the share.
 */
TEST("a program gets its share of samples in any rhythm")
{
	for (u32 i = 0; i < 20000; i++) {
		u32 period = random_one_in(2) ? 1000000 : random_period();
		u64 parts = 1 + random_below(16);
		u64 rhythm = random_one_in(2) ? period * parts :
						(period + parts - 1) / parts;
		u64 work = rhythm * (1 + random_below(7)) / 8;
		u64 phase = random_below(rhythm);
		u32 nr = 4000;
		double due = (double)nr * (double)work / (double)rhythm;
		double found =
			samples_in_bursts(period, rhythm, work, phase, nr);

		CASE(found >= due * 0.9 && found <= due * 1.1,
		     "period %u: %llu of each %llu at %llu: %.0f of %.0f",
		     period, work, rhythm, phase, found, due);
	}
	return true;
}
