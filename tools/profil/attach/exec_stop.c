// SPDX-License-Identifier: GPL-2.0-only
/* A child that is stopped by its exec */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "attach/exec_stop.h"

bool profil_exec_stop_begin(pid_t pid)
{
	return !ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACEEXEC);
}

static bool is_stopped(const siginfo_t *info)
{
	return info->si_code == CLD_TRAPPED || info->si_code == CLD_STOPPED;
}

/*
 * Let a child that was stopped before its exec go on: a signal is passed on, and a
 * child that job control has stopped waits for SIGCONT.
 */
static void go_on(pid_t pid, int status)
{
	int event = status >> 8;

	if (event != PTRACE_EVENT_STOP)
		ptrace(PTRACE_CONT, pid, NULL, status & 0xff);
	else if ((status & 0xff) != SIGTRAP)
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
	else
		ptrace(PTRACE_CONT, pid, NULL, NULL);
}

bool profil_exec_stop_wait(pid_t pid)
{
	siginfo_t info;

	for (;;) {
		if (waitid(P_PID, pid, &info, WEXITED | WSTOPPED | WNOWAIT)) {
			if (errno == EINTR)
				continue;
			return false;
		}
		if (!is_stopped(&info))
			return false;
		if (info.si_status >> 8 == PTRACE_EVENT_EXEC)
			return true;
		waitid(P_PID, pid, &info, WSTOPPED);
		go_on(pid, info.si_status);
	}
}

void profil_exec_stop_end(pid_t pid)
{
	ptrace(PTRACE_DETACH, pid, NULL, NULL);
}
