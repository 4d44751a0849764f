// SPDX-License-Identifier: GPL-2.0-only
#include "torture.h"

/*
 * The process's clock of user and kernel time, as the kernel's timers use it:
 * unlike times(2) it is the plain number of ticks.
 */
#define TICKS_CLOCK ((clockid_t)(~0U << 3))

/*
 * With several threads some ticks are no samples, those of a thread that has left
 * its address space, and a sample and its tick may be on both sides of STOP.
 */
#define SLACK_OF_THREADS (3 * ROWS)

static __u64 ticks_ns(void)
{
	return clock_ns(TICKS_CLOCK);
}

/* Time that the host has stolen from the guest is taken off the clock. */
static bool time_is_stolen(void)
{
	unsigned long long stolen;
	char line[256];

	return read_text("/proc/stat", line, sizeof(line)) ||
	       sscanf(line, "cpu %*u %*u %*u %*u %*u %*u %*u %llu", &stolen) !=
		       1 ||
	       stolen;
}

static bool clock_counts(__u64 tick)
{
	for (int i = 0; i < 20; i++) {
		spin(0, tick);
		if (ticks_ns() % tick)
			return false;
	}
	return true;
}

static __u64 tick_of_hook(void)
{
	int fd = device_open();
	struct profil_version answer = version_now(fd);

	close(fd);
	return answer.clock == PROFIL_CLOCK_TIMER ? 0 : answer.tick_ns;
}

void exact_begin(void)
{
	__u64 tick = tick_of_hook();

	if (tick && !time_is_stolen() && clock_counts(tick))
		board->tick_ns = tick;
	else
		printf("# samples are not compared with ticks\n");
}

/**
 * struct run - one session and its numbers
 * @slot: memory of the counters
 * @period_ns: 0 if samples are ticks
 * @width: of the counters
 * @counters: in @slot, with poison around them
 * @size: of the counters
 * @before: ticks before START and after it
 * @after: ticks before STOP and after it
 * @stats: of STOP
 */
struct run {
	struct slot *slot;
	__u64 period_ns;
	__u32 width;
	char *counters;
	size_t size;
	__u64 before[2];
	__u64 after[2];
	struct profil_stats stats;
};

static void compare_with_ticks(const struct run *run, __u64 slack,
			       const char *of)
{
	__u64 least = (run->after[0] - run->before[1]) / board->tick_ns;
	__u64 most = (run->after[1] - run->before[0]) / board->tick_ns;
	__u64 samples = run->stats.samples;

	board->exact_runs++;
	board->exact_samples += samples;
	if (samples + slack < least || samples > most + slack)
		board_fail(SAMPLES, "%s: %llu samples, %llu to %llu ticks", of,
			   samples, least, most);
}

static void check_around(const struct run *run)
{
	char *end = run->counters + run->size;
	char *end_of_slot = run->slot->at + run->slot->bytes;
	const void *found = NULL;

	if (guard_check(run->slot->at, (size_t)(run->counters - run->slot->at),
			false, &found) == TOUCHED ||
	    guard_check(end, (size_t)(end_of_slot - end), false, &found) ==
		    TOUCHED)
		board_fail(BYTES,
			   "process %d: %p beside counters at %p is changed",
			   getpid(), found, run->counters);
}

/* Private memory: children count in copies of their own. */
static int map_counters(struct run *run, struct stream *random)
{
	enum kind kind = draw_one_in(random, 5) ? HUGE : ANONYMOUS;
	size_t pages = draw_one_in(random, 3) ? 3 : SLOT_PAGES_MAX;
	int error = slot_map(run->slot, kind, pages * page_size());

	if (error)
		return error;
	slot_yield(run->slot);
	run->counters = run->slot->at + 64 + 8 * draw_below(random, 100);
	run->size = run->slot->bytes - page_size() - 64;
	return guard_fill(run->counters, 0, run->size) ? 0 : -EFAULT;
}

static int begin(struct run *run, struct stream *random)
{
	/* One counter in this many bytes for each site, or twice as many */
	__u32 bytes = (__u32)(run->size / NR_SITES) << draw_below(random, 2);
	struct profil_region region = region_of(run->counters, run->size,
						profil_sites,
						bytes * (0x10000 / SITE_BYTES));
	struct profil_start start =
		start_of(&region, 1, run->width, run->period_ns);
	int error;

	run->slot->covered = true;
	run->before[0] = ticks_ns();
	error = session_start(&start);
	run->before[1] = ticks_ns();
	return error;
}

static int end(struct run *run)
{
	int error;

	run->stats = stats_blank(NULL, 0);
	run->after[0] = ticks_ns();
	error = session_stop(&run->stats);
	run->after[1] = ticks_ns();
	return error;
}

/*
 * In a child of fork: all its ticks are samples of the session that it has from
 * its parent.
 */
static void check_child(struct stream *random)
{
	struct run run = { .before = { 0, ticks_ns() } };

	use_cpu(random);
	use_cpu(random);
	if (!end(&run) && run.stats.flags == PROFIL_STATS_SESSION &&
	    !run.stats.unprofiled_children)
		compare_with_ticks(&run, 0, "a child");
}

static void fork_briefly(const struct run *run, struct stream *random)
{
	pid_t child = process_fork();

	if (!child && !run->period_ns)
		check_child(random);
	if (!child)
		_exit(0);
	if (child > 0)
		process_wait(child);
}

/* Advice that keeps the contents; an old kernel may not know it. */
#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

/* Make the kernel move the counters' pages, or take them away. */
static void disturb(const struct run *run, struct stream *random)
{
	static const int advice[] = { MADV_PAGEOUT,    MADV_COLD,
				      MADV_COLLAPSE,   MADV_HUGEPAGE,
				      MADV_NOHUGEPAGE, MADV_MERGEABLE,
				      MADV_UNMERGEABLE };
	__u64 how = draw_below(random, ARRAY_LENGTH(advice) + 3);

	if (how < ARRAY_LENGTH(advice))
		madvise(run->slot->at, run->slot->bytes, advice[how]);
	else if (how == ARRAY_LENGTH(advice))
		mprotect(run->slot->at, page_size(),
			 PROT_READ | PROT_WRITE | PROT_EXEC);
	else
		fork_briefly(run, random);
}

static void work(const struct run *run, struct stream *random)
{
	__u64 rounds = 2 + draw_below(random, 6);

	while (rounds--) {
		spin((unsigned int)draw_below(random, NR_SITES),
		     draw_below(random, 5 * NSEC_PER_MSEC));
		use_cpu(random);
		if (draw_one_in(random, 2))
			disturb(run, random);
	}
}

static int run_to_end(struct run *run, struct stream *random)
{
	int error = map_counters(run, random);
	__u64 sum;

	if (!error)
		error = begin(run, random);
	if (error)
		return error;
	work(run, random);
	error = end(run);
	if (error)
		return error;
	if (!run->stats.flags)
		board_fail(SESSIONS, "a session has ended without STOP");
	if (!run->period_ns)
		compare_with_ticks(run, actor_is_alone() ? 0 : SLACK_OF_THREADS,
				   "a process");
	sum = counters_sum(run->counters, run->width, run->size / run->width);
	if (sum != run->stats.hits - run->stats.saturated)
		board_fail(SAMPLES, "a process: sum %llu, %llu hits", sum,
			   run->stats.hits);
	check_around(run);
	run->slot->covered = false;
	slot_poison(run->slot);
	return 0;
}

int exact_run(struct actor *actor)
{
	struct run run = { .slot = actor_slot(actor) };
	int result;

	run.width = ledger_width((unsigned int)draw_below(&actor->random, 3));
	run.period_ns = draw_one_in(&actor->random, 4) ? FAST_NS : 0;
	if (!board->tick_ns)
		return -EOPNOTSUPP;
	if (!session_seize())
		return -EBUSY;
	result = run_to_end(&run, &actor->random);
	session_release();
	return result;
}
