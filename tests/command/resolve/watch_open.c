// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch_open FILE COMMAND...: run COMMAND, and end with it. The exit status is 0 if
 * it has not opened FILE and 1 if it has: then it is killed, as it may wait for ever
 * if FILE is a FIFO.
 */
#include <err.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

static int watch(const char *path)
{
	int events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	/* No opening of a FIFO waits for another end, which would come before its event. */
	open(path, O_RDWR | O_CLOEXEC);
	if (inotify_add_watch(events, path, IN_OPEN) < 0)
		err(2, "inotify");
	return events;
}

static pid_t start(char **command)
{
	pid_t pid = fork();

	if (pid < 0)
		err(2, "fork");
	if (pid)
		return pid;
	execvp(*command, command);
	err(2, "%s", *command);
}

/* Wait for the event or for the end of the process. */
static bool is_opened(int events, pid_t pid)
{
	struct pollfd fds[] = {
		{ .fd = events, .events = POLLIN },
		{ .fd = pidfd_open(pid, 0), .events = POLLIN },
	};
	struct inotify_event event;

	while (poll(fds, 2, -1) < 0)
		;
	return read(events, &event, sizeof(event)) > 0;
}

int main(int argc, char **argv)
{
	bool opened;
	int events;
	pid_t pid;

	if (argc < 3)
		errx(2, "arguments");
	events = watch(argv[1]);
	pid = start(argv + 2);
	opened = is_opened(events, pid);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return opened;
}
