// SPDX-License-Identifier: GPL-2.0-only
/*
 * interleave ROUNDS PROGRAM... [, PROGRAM...]... -- ARGUMENT...
 *
 * Runs the programs in turn, each with the arguments, and prints a line for each:
 * its name, the least and the median user time in seconds, and the median of its
 * time divided by that of the first program of its group in the same round. A
 * comma ends a group. Other work of the machine slows down the programs of a round
 * about alike.
 *
 * A round has RUNS runs of each program, and its time is the mean of them. Linux
 * divides the CPU time of a run between user and kernel by the ticks of the run,
 * which are few in a short run.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUNS 10

static void become(char *program, char **arguments)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		err(1, "/dev/null");
	arguments[0] = program;
	execv(program, arguments);
	err(1, "%s", program);
}

/* User time of one run */
static double seconds_of(char *program, char **arguments)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid)
		become(program, arguments);
	if (wait4(pid, &status, 0, &usage) < 0 || status)
		errx(1, "%s failed", program);
	return usage.ru_utime.tv_sec + usage.ru_utime.tv_usec / 1e6;
}

static int by_size(const void *a, const void *b)
{
	double one = *(const double *)a, other = *(const double *)b;

	return (one > other) - (one < other);
}

/* Median of @nr values, which are sorted */
static double median_of(double *values, int nr)
{
	qsort(values, nr, sizeof(*values), by_size);
	return values[nr / 2];
}

static void print(const char *program, double *seconds, double *ratios,
		  int rounds)
{
	const char *slash = strrchr(program, '/');
	double median = median_of(seconds, rounds);

	printf("%s %.6f %.6f %.6f\n", slash ? slash + 1 : program, seconds[0],
	       median, median_of(ratios, rounds));
}

static double *numbers(int rounds, int nr)
{
	double *values = calloc((size_t)rounds * nr, sizeof(*values));

	if (!values)
		err(1, "calloc");
	return values;
}

/**
 * struct contest - programs that are run in turn
 * @programs: their paths
 * @firsts: for each, the number of the first program of its group
 * @nr: their number
 * @arguments: a place for the path, and the arguments
 */
struct contest {
	char **programs;
	int *firsts;
	int nr;
	char **arguments;
};

/* @words end with NULL. Without "--", @contest gets no arguments. */
static void read_contest(struct contest *contest, char **words, int nr_words)
{
	int first = 0;

	contest->programs = calloc(nr_words, sizeof(*contest->programs));
	contest->firsts = calloc(nr_words, sizeof(*contest->firsts));
	if (!contest->programs || !contest->firsts)
		err(1, "calloc");
	for (; *words && strcmp(*words, "--"); words++) {
		if (!strcmp(*words, ",")) {
			first = contest->nr;
			continue;
		}
		contest->firsts[contest->nr] = first;
		contest->programs[contest->nr++] = *words;
	}
	contest->arguments = *words ? words : NULL;
}

/* Each program once: its time is a part of the mean in @seconds, @step apart. */
static void run_once(const struct contest *contest, double *seconds, int step)
{
	for (int i = 0; i < contest->nr; i++)
		seconds[i * step] +=
			seconds_of(contest->programs[i], contest->arguments) /
			RUNS;
}

static void run(const struct contest *contest, double *seconds, int rounds)
{
	for (int i = 0; i < rounds; i++)
		for (int j = 0; j < RUNS; j++)
			run_once(contest, seconds + i, rounds);
}

static void divide(double *ratios, const double *seconds, int rounds,
		   const struct contest *contest)
{
	for (int j = 0; j < contest->nr; j++)
		for (int i = 0; i < rounds; i++)
			ratios[j * rounds + i] =
				seconds[j * rounds + i] /
				seconds[contest->firsts[j] * rounds + i];
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0;
	struct contest contest = { 0 };
	double *seconds, *ratios;

	if (argc > 2)
		read_contest(&contest, argv + 2, argc);
	if (rounds < 1 || !contest.nr || !contest.arguments)
		errx(1,
		     "usage: interleave ROUNDS PROGRAM... [, PROGRAM...]... -- ARGUMENT...");
	seconds = numbers(rounds, contest.nr);
	ratios = numbers(rounds, contest.nr);
	run(&contest, seconds, rounds);
	divide(ratios, seconds, rounds, &contest);
	for (int j = 0; j < contest.nr; j++)
		print(contest.programs[j], &seconds[j * rounds],
		      &ratios[j * rounds], rounds);
	free(ratios);
	free(seconds);
	free(contest.firsts);
	free(contest.programs);
	return 0;
}
