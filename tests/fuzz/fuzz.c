// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz [-g] [SECONDS [SEED]]: executes inputs that are drawn, and variations of
 * those that have reached new places of the driver or new steps between places,
 * where the driver is built for that (see run), else of none. Prints results in
 * TAP. -g fails where the driver's places are not traced. Without
 * SECONDS the run is short and always has the same seed.
 */
#include "fuzz.h"

#define SHORT_SECONDS 5
#define SHORT_SEED 1
#define CORPUS_MAX 1024
#define PROGRESS_NS (30 * NSEC_PER_SEC)

static struct input corpus[CORPUS_MAX];
static unsigned int nr_corpus;

/**
 * struct run - a run of the fuzzer
 * @seed: its seed
 * @until: its end, of wall_ns()
 * @traced: the driver's places are traced
 * @callers: see enum caller
 * @executed: inputs so far
 */
struct run {
	__u64 seed;
	__u64 until;
	bool traced;
	unsigned int callers;
	unsigned long executed;
};

static void choose_input(const struct run *run, struct input *input)
{
	struct stream random = stream_of(run->seed, 0, run->executed);

	if (!nr_corpus || draw_one_in(&random, 8)) {
		input_create(input, &random, run->callers);
		return;
	}
	*input = corpus[draw_below(&random, nr_corpus)];
	input_vary(input, &random, run->callers);
}

static void print_progress(const struct run *run)
{
	printf("# %lu executions, %u places and %u steps of calls, %u inputs kept\n",
	       run->executed, trace_places(), trace_steps(), nr_corpus);
}

static bool run_input(struct run *run)
{
	static struct input input;
	char reason[160] = "";
	bool good;

	choose_input(run, &input);
	if (run->traced)
		trace_begin();
	good = execute(&input, reason, sizeof(reason));
	/* A full corpus replaces an old input. */
	if (run->traced && trace_end())
		corpus[nr_corpus < CORPUS_MAX ? nr_corpus++ :
						run->executed % CORPUS_MAX] =
			input;
	run->executed++;
	if (!good) {
		printf("# execution %lu: %s\n", run->executed, reason);
		input_print(&input);
	}
	return good;
}

static bool run_inputs(struct run *run)
{
	__u64 next = wall_ns() + PROGRESS_NS;
	bool good = true;

	while (good && wall_ns() < run->until) {
		good = run_input(run);
		if (wall_ns() > next) {
			print_progress(run);
			next += PROGRESS_NS;
		}
	}
	print_progress(run);
	return good;
}

static int fail_to(const char *what)
{
	printf("# cannot %s: %s\n", what, strerror(errno));
	return 2;
}

/* The driver exempts privileged programs from limits. */
static int fuzz_as_user(struct run *run)
{
	if (!peers_drop_privileges())
		return fail_to("become another user");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!devices_open())
		return fail_to("open the device");
	if (!execute_begin())
		return fail_to("create the peers and the arena");
	run->callers = caller_works(CALLER_32, device_fd(0)) ? NR_CALLERS : 1;
	if (run->traced)
		trace_this_thread();
	if (!run_inputs(run))
		return 1;
	return !run->traced || trace_places() ? 0 : fail_to("trace the driver");
}

static bool fuzz_passes(struct run *run)
{
	pid_t child;
	int status;

	fflush(stdout);
	child = fork();
	if (!child) {
		status = fuzz_as_user(run);
		peers_end();
		exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (status)
		printf("# the fuzzer ends with status %#x\n", status);
	return !status;
}

static bool result(unsigned int nr, bool good, const char *what)
{
	printf("%sok %u - %s\n", good ? "" : "not ", nr, what);
	return good;
}

/* The limit is the program's own session, and its table. */
static bool fuzz_at_limit(struct run *run)
{
	char saved[32], limit[16];
	bool good;

	if (param_read("max_sessions", saved, sizeof(saved)) || !tree_measure())
		return false;
	snprintf(limit, sizeof(limit), "%u", tree_sessions() + 1);
	if (param_write("max_sessions", limit))
		return false;
	good = fuzz_passes(run);
	param_write("max_sessions", saved);
	return good;
}

/* Load the driver again, and fuzz until @seconds are over, a fifth at the limit. */
static bool fuzz(struct run *run, unsigned long seconds)
{
	bool loaded = !save_parameters() && !reload();
	bool good = result(1, loaded, "the driver is loaded");
	__u64 end = wall_ns() + seconds * NSEC_PER_SEC;

	run->until = end - seconds * NSEC_PER_SEC / 5;
	good &= result(2, fuzz_passes(run),
		       "every result is documented, every byte accounted for");
	run->until = end;
	good &= result(3, fuzz_at_limit(run),
		       "so it is at the limit of sessions");
	good &= result(4, wait_for_nothing_left(0), "nothing is left");
	return good;
}

int main(int argc, char **argv)
{
	bool guided = argc > 1 && !strcmp(argv[1], "-g");
	const char *const *words = (const char *const *)argv + 1 + guided;
	unsigned long seconds = words[0] ? strtoul(words[0], NULL, 10) :
					   SHORT_SECONDS;
	struct run run = {
		.seed = words[0] ? seed_of(words[1]) : SHORT_SEED,
		.traced = trace_open(),
	};

	setvbuf(stdout, NULL, _IOLBF, 0);
	if (guided && !run.traced)
		return fail_to("trace the driver by " TRACE_DEVICE);
	printf("# SEED=%llu, %lu seconds\n1..4\n", run.seed, seconds);
	return fuzz(&run, seconds) ? 0 : 1;
}
