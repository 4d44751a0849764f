// SPDX-License-Identifier: GPL-2.0-only
/*
 * interleave ROUNDS PROGRAM... -- ARGUMENT...
 *
 * Runs the programs in turn, ROUNDS times, each with the arguments, and prints a
 * line for each: its name, the least and the median user time in seconds. What
 * else the machine does hits all programs alike.
 */
#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

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

static void print(const char *program, double *seconds, int rounds)
{
	const char *slash = strrchr(program, '/');

	qsort(seconds, rounds, sizeof(*seconds), by_size);
	printf("%s %.6f %.6f\n", slash ? slash + 1 : program, seconds[0],
	       seconds[rounds / 2]);
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 0, nr = 0;
	double *seconds;

	while (nr + 2 < argc && strcmp(argv[nr + 2], "--"))
		nr++;
	if (rounds < 1 || !nr || nr + 2 >= argc)
		errx(1, "usage: interleave ROUNDS PROGRAM... -- ARGUMENT...");
	seconds = calloc((size_t)rounds * nr, sizeof(*seconds));
	if (!seconds)
		err(1, "calloc");
	for (int i = 0; i < rounds; i++)
		for (int j = 0; j < nr; j++)
			seconds[j * rounds + i] =
				seconds_of(argv[j + 2], argv + nr + 2);
	for (int j = 0; j < nr; j++)
		print(argv[j + 2], &seconds[j * rounds], rounds);
	free(seconds);
	return 0;
}
