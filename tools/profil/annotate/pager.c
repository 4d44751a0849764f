// SPDX-License-Identifier: GPL-2.0-only
/* A program that shows output by pages */
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "annotate/pager.h"

/* less(1) is not on every system. */
static bool has_less(void)
{
	return !access("/usr/bin/less", X_OK) || !access("/bin/less", X_OK);
}

static const char *command(void)
{
	const char *pager = getenv("PAGER");

	if (!pager)
		return has_less() ? "less -R" : NULL;
	pager += strspn(pager, " \t");
	return *pager && strcmp(pager, "cat") ? pager : NULL;
}

/* less(1) ends at once if the output fits on the screen, as under git(1). */
static bool start(const char *line, int input, pid_t *process)
{
	char *argv[4] = { "sh", "-c", (char *)line, NULL };
	posix_spawn_file_actions_t actions;
	bool started;

	setenv("LESS", "FRX", 0);
	if (posix_spawn_file_actions_init(&actions))
		return false;
	started =
		!posix_spawn_file_actions_adddup2(&actions, input, 0) &&
		!posix_spawnp(process, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return started;
}

void profil_pager_begin(struct pager *pager, FILE *out)
{
	const char *line = isatty(fileno(out)) ? command() : NULL;
	int ends[2];

	*pager = (struct pager){ .out = out };
	if (!line || pipe2(ends, O_CLOEXEC))
		return;
	if (start(line, ends[0], &pager->process))
		pager->out = fdopen(ends[1], "w");
	else
		close(ends[1]);
	close(ends[0]);
	if (!pager->out) {
		close(ends[1]);
		pager->out = out;
	}
	if (!pager->process)
		return;
	/* The user may leave the pager before it has read everything. */
	signal(SIGPIPE, SIG_IGN);
	/* Ctrl-C is for the pager, which would be left without its terminal. */
	signal(SIGINT, SIG_IGN);
}

/* The shell ends with one of these if it cannot execute a command. */
static bool was_executed(int status)
{
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != 126 && WEXITSTATUS(status) != 127);
}

bool profil_pager_end(struct pager *pager)
{
	int status;

	if (!pager->process)
		return true;
	fclose(pager->out);
	return waitpid(pager->process, &status, 0) < 0 || was_executed(status);
}
