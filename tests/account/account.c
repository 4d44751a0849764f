// SPDX-License-Identifier: GPL-2.0-only
/*
 * account [SAMPLES [SEED]]: sessions with short periods, until that many samples
 * have been taken, and the account of them: a sample is in a counter, outside of
 * the regions or lost. A round has a process with a session of its own, with random
 * regions and width, and a table that the process is added to from here, both with
 * random periods. Prints results in TAP, and the sums.
 *
 * Each interrupt of a driver's timer that finds a thread of the process takes a
 * sample, until session or table ends: the kernel counts the interrupts.
 *
 * Round n of seed S draws its numbers from S and n. No memory of counters goes
 * away, so no sample may be lost.
 */
#include "common.h"
#include "random.h"
#include "table.h"

#define SHORT_SAMPLES 20000ULL
#define SHORT_SEED 1
#define COUNTERS_BYTES (NR_SITES * 8)

#define REGIONS_MAX 8

/**
 * struct plan - a session to start
 * @width: bytes of a counter
 * @period_ns: period
 * @nr_regions: number of equal parts of the sites, one region each
 * @without: the part that has no region, or @nr_regions
 */
struct plan {
	__u32 width;
	__u64 period_ns;
	__u32 nr_regions;
	__u32 without;
};

/**
 * struct outcome - what a session has counted
 * @error: 0, or the negative errno of a call that has failed
 * @stats: from STOP
 * @sum: of all counters
 * @interrupts: number of interrupts of the timer that found the process
 */
struct outcome {
	int error;
	struct profil_stats stats;
	__u64 sum;
	__u64 interrupts;
};

/**
 * struct work - threads that spin, one at each site
 * @nr: number of threads
 * @first: site of the first thread
 * @ns: time that the threads spin
 */
struct work {
	unsigned int nr;
	unsigned int first;
	__u64 ns;
};

/* Periods in tenths of the shortest one */
static const __u64 tenths[] = { 10, 12, 15, 20, 50, 100 };

#define THREADS_MAX 6
#define WORK_NS NSEC_PER_SEC

/*
 * An emulated CPU that keeps to the host's clock would have no time for anything
 * but interrupts.
 */
static unsigned int shortest_period_us(void)
{
	return machine_counts() ? 10 : 50;
}

static struct plan plan_draw(struct stream *stream)
{
	struct plan plan = {
		.width = 2U << draw_below(stream, 3),
		.nr_regions = 1U << draw_below(stream, 4),
	};

	plan.period_ns = tenths[draw_below(stream, ARRAY_LENGTH(tenths))] *
			 shortest_period_us() * NSEC_PER_USEC / 10;
	plan.without = (__u32)draw_below(stream, 2 * plan.nr_regions);
	if (plan.without > plan.nr_regions)
		plan.without = plan.nr_regions;
	return plan;
}

static struct work work_draw(struct stream *stream)
{
	struct work work = {
		.nr = 1 + (unsigned int)draw_below(stream, THREADS_MAX),
		.ns = WORK_NS,
	};

	work.first = (unsigned int)draw_below(stream, NR_SITES - work.nr);
	return work;
}

static int work_do(const struct work *work)
{
	int error = busy_threads_begin(work->nr, work->first, true);

	if (error)
		return -error;
	sleep_ns(work->ns);
	busy_threads_end();
	return 0;
}

static struct profil_region region_of_part(const struct plan *plan,
					   unsigned int part, char *counters)
{
	unsigned int sites = NR_SITES / plan->nr_regions, first = part * sites;

	return region_of(counters + first * plan->width,
			 (size_t)sites * plan->width, site(first),
			 SITE_SCALE(plan->width));
}

static int plan_start(int fd, const struct plan *plan, void *counters)
{
	struct profil_region regions[REGIONS_MAX];
	unsigned int part, nr = 0;
	struct profil_start args;

	for (part = 0; part < plan->nr_regions; part++)
		if (part != plan->without)
			regions[nr++] = region_of_part(plan, part, counters);
	/* A session has a region, if only one that is switched off. */
	if (!nr)
		regions[nr++] = region_of(counters, plan->width, site(0), 0);
	args = start_of(regions, nr, plan->width, plan->period_ns);
	return start(fd, &args);
}

/*
 * The interrupts of the driver's timers, as the kernel's own event hrtimer_expire_entry
 * counts them, with a histogram by function and by thread
 */
/* The functions of src/timer.c that the timers call */
#define OWN_TIMER "expire_own"
#define TREE_TIMER "expire_table"

#define EVENT "/sys/kernel/tracing/events/timer/hrtimer_expire_entry/"
#define HISTOGRAM "hist:keys=function.sym,common_pid:size=4096"

/* The number behind @name in @line, or -1. */
static long long number_behind(const char *line, const char *name)
{
	const char *found = strstr(line, name);
	long long number;

	if (!found || sscanf(found + strlen(name), "%lld", &number) != 1)
		return -1;
	return number;
}

/*
 * The number of interrupts of the timer @function since the beginning of a round that
 * have found a thread with an ID from @first to @last.
 */
static __u64 interrupts_of(const char *function, pid_t first, pid_t last)
{
	char line[512];
	__u64 sum = 0;

	FOR_EACH_LINE(EVENT "hist", line)
	{
		long long thread = number_behind(line, "common_pid:");

		if (strstr(line, function) && thread >= first && thread <= last)
			sum += (__u64)number_behind(line, "hitcount:");
	}
	return sum;
}

enum { ACCOUNTED, INTERRUPTS, NONE_LOST, CALLS };

static const char *const results[] = {
	[ACCOUNTED] =
		"samples are hits, outside or lost, and counters have the hits",
	[INTERRUPTS] = "each interrupt in the session's time takes a sample",
	[NONE_LOST] = "no sample is lost",
	[CALLS] = "each call succeeds",
};

static unsigned long long failures[ARRAY_LENGTH(results)];

/*
 * Sums over all sessions. @unaccounted is the sum of the differences, and
 * @interrupts the number of those that found a thread of the process.
 */
static struct sums {
	unsigned long long sessions;
	unsigned long long samples;
	unsigned long long hits;
	unsigned long long outside;
	unsigned long long lost;
	unsigned long long saturated;
	unsigned long long unaccounted;
	unsigned long long interrupts;
} sums;

/* The kernel counts interrupts, as it does in all rounds or in none. */
static bool counts_interrupts;

/**
 * struct round - a round; the process that is profiled shares it
 * @number: of the round
 * @work: what the process does
 * @own: session of the process
 * @period_ns: of the table that has the process
 * @seen: what the process's session has counted
 */
struct round {
	__u64 number;
	struct work work;
	struct plan own;
	__u64 period_ns;
	struct outcome seen;
};

static void expect(int subject, bool holds, const struct round *round,
		   const char *session, const struct outcome *outcome)
{
	const struct profil_stats *stats = &outcome->stats;

	if (holds)
		return;
	if (failures[subject]++)
		return;
	printf("# %s, round %llu, session %s: error %d,\n", results[subject],
	       round->number, session, outcome->error);
	printf("# %llu samples, %llu hits, %llu outside, %llu lost, %llu saturated,\n",
	       stats->samples, stats->hits, stats->outside, stats->lost,
	       stats->saturated);
	printf("# sum %llu, %llu interrupts\n", outcome->sum,
	       outcome->interrupts);
}

static unsigned long long distance(unsigned long long a, unsigned long long b)
{
	return a > b ? a - b : b - a;
}

/*
 * A thread without a session may take one interrupt of a timer that is armed still:
 * each thread when it exits, and one on each CPU after STOP.
 */
static bool interrupts_match(const struct round *round,
			     const struct outcome *outcome)
{
	__u64 beside =
		round->work.nr + 1 + (__u64)sysconf(_SC_NPROCESSORS_ONLN);
	__u64 samples = outcome->stats.samples;

	return !counts_interrupts || (samples <= outcome->interrupts &&
				      outcome->interrupts <= samples + beside);
}

static void add(const struct outcome *outcome)
{
	const struct profil_stats *stats = &outcome->stats;

	sums.sessions++;
	sums.samples += stats->samples;
	sums.hits += stats->hits;
	sums.outside += stats->outside;
	sums.lost += stats->lost;
	sums.saturated += stats->saturated;
	sums.unaccounted +=
		distance(stats->samples, outcome->sum + stats->saturated +
						 stats->outside + stats->lost);
	sums.interrupts += outcome->interrupts;
}

static void account(const struct round *round, const struct outcome *outcome,
		    const char *session)
{
	const struct profil_stats *stats = &outcome->stats;

	expect(CALLS, !outcome->error, round, session, outcome);
	if (outcome->error)
		return;
	expect(ACCOUNTED,
	       adds_up(stats) && outcome->sum == stats->hits - stats->saturated,
	       round, session, outcome);
	expect(INTERRUPTS, interrupts_match(round, outcome), round, session,
	       outcome);
	expect(NONE_LOST, !stats->lost, round, session, outcome);
	add(outcome);
}

/* The process: a session of its own, over private memory. */
static int profile_oneself(void *shared)
{
	struct round *round = shared;
	void *counters = new_pages(COUNTERS_BYTES);
	int fd = device_open();
	int error = plan_start(fd, &round->own, counters);

	if (!error)
		error = work_do(&round->work);
	round->seen.stats = stats_blank(NULL, 0);
	round->seen.error = stop(fd, &round->seen.stats);
	round->seen.sum = counters_sum(counters, round->own.width, NR_SITES);
	if (error)
		round->seen.error = error;
	return 0;
}

/* TAKE: what has no counter, and is not lost, is outside. */
static void outcome_take_table(struct outcome *outcome, struct table *table)
{
	const struct profil_take *sum = &table->sum;
	struct profil_stats *stats = &outcome->stats;
	struct table_row row;

	outcome->error = table_take(table, PROFIL_TAKE_LAST);
	if (outcome->error)
		return;
	stats->samples = sum->ticks;
	stats->hits = sum->hits;
	stats->lost = sum->no_item + sum->no_memory + sum->full;
	stats->outside = table_outcomes(sum) - stats->hits - stats->lost;
	FOR_EACH_ROW(table, &row)
	outcome->sum += row.count;
}

static void run(struct round *round, struct table *table)
{
	struct outcome outcome = { 0 };
	pid_t pid, last;
	bool begun;

	round->seen = (struct outcome){ .error = -ECHILD };
	pid = tracee_new(profile_oneself, round);
	begun = !write_text(EVENT "trigger", HISTOGRAM);
	if (!round->number)
		counts_interrupts = begun;
	else if (begun != counts_interrupts)
		failures[INTERRUPTS]++;
	outcome.error = table_add(table, pid, 0);
	tracee_release(pid);
	waitpid(pid, NULL, 0);
	if (!outcome.error)
		outcome_take_table(&outcome, table);
	/* An ID that is higher than those of all threads so far, until IDs begin again */
	last = IN_CHILD(0);
	waitpid(last, NULL, 0);
	round->seen.interrupts = interrupts_of(OWN_TIMER, pid, last);
	outcome.interrupts = interrupts_of(TREE_TIMER, pid, last);
	write_text(EVENT "trigger", "!" HISTOGRAM);
	/* If IDs have begun again, the interrupts are not known. */
	if (last < pid)
		return;
	account(round, &round->seen, "own");
	account(round, &outcome, "of the table");
}

static void print_sums(__u64 seed, __u64 rounds)
{
	printf("# SEED=%llu, %llu rounds, %llu sessions\n", seed, rounds,
	       sums.sessions);
	printf("# %llu samples: %llu hits (%llu saturated), %llu outside, ",
	       sums.samples, sums.hits, sums.saturated, sums.outside);
	printf("%llu lost, %llu unaccounted\n", sums.lost, sums.unaccounted);
	if (counts_interrupts)
		printf("# %llu interrupts, %lld more than samples\n",
		       sums.interrupts,
		       (long long)(sums.interrupts - sums.samples));
}

static int print_results(void)
{
	unsigned int i, failed = 0;

	printf("1..%zu\n", ARRAY_LENGTH(results));
	for (i = 0; i < ARRAY_LENGTH(results); i++) {
		printf("%s %u %s%s\n", failures[i] ? "not ok" : "ok", i + 1,
		       results[i],
		       i == INTERRUPTS && !counts_interrupts ?
			       " # SKIP no histograms of events" :
			       "");
		failed += !!failures[i];
	}
	return failed ? 1 : 0;
}

/* Rounds until there are @samples, or until a call fails. */
static __u64 run_rounds(struct round *round, unsigned long long samples,
			__u64 seed)
{
	__u64 number;

	for (number = 0; sums.samples < samples && !failures[CALLS]; number++) {
		struct stream stream = stream_of(seed, 0, number);
		int fd = device_open();
		struct table table;

		round->number = number;
		round->work = work_draw(&stream);
		round->own = plan_draw(&stream);
		round->period_ns = plan_draw(&stream).period_ns;
		if (table_begin(&table, fd,
				table_args(PROFIL_TABLE_TREE,
					   round->period_ns)))
			failures[CALLS]++;
		else
			run(round, &table);
		table_end(&table);
		close(fd);
	}
	return number;
}

int main(int argc, char **argv)
{
	unsigned long long samples = SHORT_SAMPLES;
	struct round *round = new_shared(sizeof(*round));
	__u64 seed = SHORT_SEED, rounds;
	char before[16], shortest[16];

	setvbuf(stdout, NULL, _IOLBF, 0);
	snprintf(shortest, sizeof(shortest), "%u", shortest_period_us());
	if (argc > 1)
		samples = strtoull(argv[1], NULL, 10);
	if (argc > 1)
		seed = seed_of(argv[2]);
	if (!round || param_read("min_period_us", before, sizeof(before)) ||
	    param_write("min_period_us", shortest)) {
		puts("1..0 # SKIP the shortest period cannot be changed: not root?");
		return 0;
	}
	rounds = run_rounds(round, samples, seed);
	param_write("min_period_us", before);
	print_sums(seed, rounds);
	return print_results();
}
