// SPDX-License-Identifier: GPL-2.0-only
/*
 * torture [SECONDS [SEED]]: many processes do everything at once that concerns
 * sessions and the memory of counters, in rounds of some seconds, each with an
 * account at its end. Prints results in TAP, and as comments how often each
 * operation was done and failed.
 *
 * Round n of seed S has the seed S + n. Each round prints its seed at its beginning,
 * which is the last line if the kernel panics; with that seed the same processes draw
 * the same operations in the first round.
 * Without SECONDS the run is short and always has the same seed.
 */
#include "torture.h"

#define SHORT_SECONDS 20
#define SHORT_SEED 1
#define ROUND_NS (6 * NSEC_PER_SEC)
#define GRACE_NS (10 * NSEC_PER_SEC)
#define FIRST_MAX 16

/**
 * struct round - a round
 * @group: process group of all processes, and the process that leads it
 * @first: the processes that are forked by this one
 * @nr: of @first
 * @next: index of the next first process
 */
struct round {
	pid_t group;
	pid_t first[FIRST_MAX];
	unsigned int nr;
	__u64 next;
};

static pid_t fork_machine(void)
{
	pid_t child = fork();

	if (!child) {
		setpgid(0, 0);
		machine_change();
	}
	setpgid(child, child);
	return child;
}

static pid_t fork_first(struct round *round)
{
	pid_t child;

	fflush(stdout);
	child = process_fork();
	if (!child) {
		setpgid(0, round->group);
		machine_join_group();
		actor_live(round->next, 0);
	}
	if (child > 0)
		round->next++;
	return child;
}

/* Collect processes that have ended, and replace those of @first. */
static void replace_ended(struct round *round)
{
	pid_t ended;

	while ((ended = waitpid(-round->group, NULL, WNOHANG)) > 0) {
		process_ended(ended);
		for (unsigned int i = 0; i < round->nr; i++)
			if (round->first[i] == ended)
				round->first[i] = -1;
	}
	for (unsigned int i = 0; i < round->nr; i++)
		if (round->first[i] < 0)
			round->first[i] = fork_first(round);
}

/* Wait for all processes of the round; false if some are left after @ns. */
static bool collect_all(struct round *round, __u64 ns)
{
	__u64 until = wall_ns() + ns;
	pid_t ended;

	while ((ended = waitpid(-round->group, NULL, WNOHANG)) >= 0) {
		process_ended(ended);
		if (!ended && wall_ns() > until)
			return false;
		if (!ended)
			sleep_ns(NSEC_PER_MSEC);
	}
	return true;
}

static void end_round(struct round *round)
{
	board->stop = true;
	machine_restore();
	if (!collect_all(round, GRACE_NS)) {
		kill(-round->group, SIGKILL);
		if (!collect_all(round, TIMEOUT_NS))
			board_fail(PROCESSES, "a process cannot be killed");
	}
	machine_restore();
}

static void run_round(__u64 seed, __u64 until)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct round round = { .nr = 2 + 2 * (unsigned int)cpus };

	if (round.nr > FIRST_MAX)
		round.nr = FIRST_MAX;
	board->seed = seed;
	board->stop = false;
	board->quiet = false;
	board->crowd = 0;
	keepers_begin(seed);
	round.group = fork_machine();
	for (unsigned int i = 0; i < round.nr; i++)
		round.first[i] = fork_first(&round);
	while (wall_ns() < until) {
		replace_ended(&round);
		sleep_ns(2 * NSEC_PER_MSEC);
	}
	end_round(&round);
	account_check();
}

static unsigned long long nr_failures(void)
{
	unsigned long long sum = 0;

	for (unsigned int i = 0; i < NR_SUBJECTS; i++)
		sum += board->failures[i];
	return sum;
}

static void run_rounds(__u64 seed, __u64 until)
{
	unsigned long long before = 0;

	for (; wall_ns() < until; seed++) {
		__u64 end = wall_ns() + ROUND_NS;

		printf("# round with SEED=%llu\n", seed);
		fflush(stdout);
		run_round(seed, end < until ? end : until);
		if (nr_failures() != before)
			printf("# failure in the round with SEED=%llu\n", seed);
		before = nr_failures();
		fflush(stdout);
	}
}

static void print_sums(void)
{
	printf("# %llu processes\n", board->processes);
	printf("# %llu samples of %llu sessions compared with the ticks\n",
	       board->exact_samples, board->exact_runs);
	printf("# %llu samples of %llu processes in %llu trees\n",
	       board->tree_samples, board->members, board->trees);
	printf("# %llu of these stale, %llu busy, %llu denied, %llu cancelled\n",
	       board->tree_outcomes[STALE], board->tree_outcomes[BUSY],
	       board->tree_outcomes[DENIED], board->tree_outcomes[CANCELLED]);
	printf("# %llu processes dropped\n", board->dropped);
	printf("# %llu stacks to their base, %llu loads of rows\n",
	       board->walks, board->loads);
	printf("# %llu MiB of canaries read\n", board->checked_bytes >> 20);
}

static void print_results(void)
{
	static const char *const results[NR_SUBJECTS] = {
		[SAMPLES] = "every sample is accounted for",
		[BYTES] = "no byte beside counters is written",
		[SESSIONS] = "every session has ended",
		[PINS] = "every pinned page is unpinned and uncharged",
		[MODULE_REFERENCES] = "the module has no references",
		[PROCESSES] = "every process works and ends",
	};

	printf("1..%d\n", NR_SUBJECTS);
	for (unsigned int i = 0; i < NR_SUBJECTS; i++) {
		if (board->failures[i])
			printf("# %llu times, first: %s\n", board->failures[i],
			       board->failure[i]);
		printf("%s %u %s\n", board->failures[i] ? "not ok" : "ok",
		       i + 1, results[i]);
	}
}

static int torture(unsigned long seconds, __u64 seed)
{
	if (!board_create()) {
		printf("Bail out! no memory for the board\n");
		return 1;
	}
	printf("# SEED=%llu, %lu seconds\n", seed, seconds);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	guard_begin();
	exact_begin();
	machine_begin();
	fflush(stdout);
	run_rounds(seed, wall_ns() + seconds * NSEC_PER_SEC);
	machine_end();
	operations_print();
	print_sums();
	print_results();
	return nr_failures() ? 1 : 0;
}

static int live(const char *index, const char *depth)
{
	struct profil_stats stats = stats_blank(NULL, 0);
	struct itimerval never = { 0 };

	setitimer(ITIMER_REAL, &never, NULL);
	if (!board_open())
		return 1;
	if (!session_stats(&stats) && stats.flags)
		board_fail(SESSIONS, "process %d has a session after execve()",
			   getpid());
	actor_live(strtoull(index, NULL, 10),
		   (unsigned int)strtoul(depth, NULL, 10));
}

int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	program = argv[0];
	if (argc == 2 && !strcmp(argv[1], "--nothing"))
		return 0;
	if (argc == 4 && !strcmp(argv[1], "--live"))
		return live(argv[2], argv[3]);
	if (argc == 1)
		return torture(SHORT_SECONDS, SHORT_SEED);
	return torture(strtoul(argv[1], NULL, 10), seed_of(argv[2]));
}
