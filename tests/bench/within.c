// SPDX-License-Identifier: GPL-2.0-only
/*
 * within COMMAND...: runs a command in a process group of its own, and prints what the
 * module stopwatch has seen of the group
 */
#include "bench.h"

#define STOPWATCH "/proc/stopwatch"

static void begin_stopwatch(void)
{
	int fd = open(STOPWATCH, O_WRONLY | O_CLOEXEC);

	if (setpgid(0, 0) || fd < 0 || write(fd, "", 1) != 1)
		die("There is no stopwatch.");
	close(fd);
}

static void print_stopwatch(void)
{
	FILE *file = fopen(STOPWATCH, "re");
	char line[128];

	if (!file || !fgets(line, sizeof(line), file))
		die("The stopwatch has seen no interrupt.");
	printf("within %s", line);
	fclose(file);
}

static void run(char **command)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		execvp(command[0], command);
		die("There is no %s: %s.", command[0], strerror(errno));
	}
	if (waitpid(pid, &status, 0) != pid || status)
		die("%s has failed.", command[0]);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		die("usage: within COMMAND...");
	begin_stopwatch();
	run(argv + 1);
	print_stopwatch();
	return 0;
}
