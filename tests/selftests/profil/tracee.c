// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

#include <sys/ptrace.h>

pid_t tracee_new(int (*body)(void *argument), void *argument)
{
	pid_t pid = fork();

	if (!pid) {
		/*
		 * An inherited descriptor would keep its session. A test that
		 * fails leaves its child, which may spin.
		 */
		if (syscall(SYS_close_range, 3, ~0U, 0) ||
		    prctl(PR_SET_PDEATHSIG, SIGKILL) ||
		    ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			_exit(125);
		raise(SIGSTOP);
		_exit(body(argument));
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid) {
		perror("tracee");
		_exit(1);
	}
	return pid;
}

pid_t child_by_clone(int flags, int (*body)(void *argument), void *argument)
{
	size_t bytes = 16 * page_size();
	char *stack = new_pages(bytes);

	return clone(body, stack + bytes, flags | SIGCHLD, argument);
}

int spin_forever(unsigned int site)
{
	for (;;)
		spin(site, NSEC_PER_SEC);
}

void tracee_release(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}

void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* The name of the program is in parentheses, and may have blanks and parentheses. */
char state_of(pid_t pid, pid_t tid)
{
	char path[64], text[512], *name;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	if (read_text(path, text, sizeof(text)))
		return '?';
	name = strrchr(text, ')');
	return name && name[1] ? name[2] : '?';
}

bool stays_in_state(pid_t pid, pid_t tid, char state)
{
	int looks = 5;

	while (looks && state_of(pid, tid) == state) {
		usleep(1000);
		looks--;
	}
	return !looks;
}

int pidfd_of(pid_t pid)
{
	int pidfd = syscall(SYS_pidfd_open, pid, 0);

	return pidfd < 0 ? -errno : pidfd;
}

/* STATS has the driver record deferred samples. */
bool wait_for_count(int fd, const void *counters, size_t index, __u64 count)
{
	(void)WAIT_FOR(!stats_now(fd).flags ||
		       counter(counters, 4, index) >= count);
	return counter(counters, 4, index) >= count;
}
