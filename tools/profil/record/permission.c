// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attaching with the right of a ptracer
 *
 * PTRACE_SEIZE does not stop a process. PTRACE_DETACH wants a stopped one, and to
 * stop it would end some of its system calls, epoll_wait(2) for one, with EINTR.
 * The kernel detaches the processes of a tracer that exits, stopped or not, and
 * the tracer is a thread.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/permission.h"
#include "util/exit_status.h"

#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

/**
 * struct seizure - what the tracing thread does
 * @table: table that gets the process
 * @pid: process
 * @pidfd: its descriptor
 * @flags: PROFIL_ADD_* flags
 * @error: 0 or -errno
 */
struct seizure {
	const struct table *table;
	pid_t pid;
	int pidfd;
	uint32_t flags;
	int error;
};

static void *seize(void *data)
{
	struct seizure *seizure = data;

	if (ptrace(PTRACE_SEIZE, seizure->pid, NULL, NULL))
		seizure->error = -errno;
	else
		seizure->error = profil_table_add(
			seizure->table, seizure->pidfd, seizure->flags);
	return NULL;
}

int profil_permission_add(const struct table *table, pid_t pid, int pidfd,
			  uint32_t flags)
{
	struct seizure seizure = { table, pid, pidfd, flags, 0 };
	pthread_t thread;
	int error = pthread_create(&thread, NULL, seize, &seizure);

	if (error)
		return -error;
	pthread_join(thread, NULL);
	return seizure.error;
}

/* Root may trace the processes of all users. */
static bool is_of_another_user(pid_t pid)
{
	struct stat status;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	return geteuid() && !stat(path, &status) && status.st_uid != geteuid();
}

/* Tracer of the process @pid, or 0 */
static int tracer_of(pid_t pid)
{
	char path[32], line[256];
	FILE *status;
	int tracer = 0;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	status = fopen(path, "re");
	if (!status)
		return 0;
	while (fgets(line, sizeof(line), status))
		if (sscanf(line, "TracerPid:%d", &tracer) == 1)
			break;
	fclose(status);
	return tracer;
}

static int yama(void)
{
	FILE *file = fopen(YAMA, "re");
	int scope = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%d", &scope) != 1)
		scope = 0;
	fclose(file);
	return scope;
}

/* Value of ptrace_scope that cannot be changed any more */
#define YAMA_FINAL 3

static void refuse_by_yama(pid_t pid, int scope)
{
	if (scope == YAMA_FINAL)
		errx(EXIT_PROFIL,
		     "process %d may not be traced, since kernel.yama.ptrace_scope is %d up to the next boot: set 1 in /etc/sysctl.d, and boot",
		     pid, scope);
	errx(EXIT_PROFIL,
	     "process %d may be traced by root alone, since kernel.yama.ptrace_scope is %d: run profil as root, or sudo sysctl kernel.yama.ptrace_scope=0",
	     pid, scope);
}

static void refuse(pid_t pid)
{
	int tracer = tracer_of(pid);
	int scope = yama();

	if (is_of_another_user(pid))
		errx(EXIT_PROFIL,
		     "process %d belongs to another user: run profil as that user, or as root",
		     pid);
	if (tracer)
		errx(EXIT_PROFIL,
		     "process %d is traced by process %d: end that one first",
		     pid, tracer);
	if (scope)
		refuse_by_yama(pid, scope);
	errx(EXIT_PROFIL, "process %d may not be traced: run profil as root",
	     pid);
}

void profil_permission_explain(pid_t pid, int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
		refuse(pid);
		break;
	case ESRCH:
		errx(EXIT_PROFIL,
		     "process %d does not exist, or has no program", pid);
	case EBUSY:
		errx(EXIT_PROFIL,
		     "%d recordings of process %d run already: end one, or run profil as root",
		     PROFIL_MAX_TREES, pid);
	case EAGAIN:
		errx(EXIT_PROFIL,
		     "process %d is one more than max_sessions allows: see profil doctor",
		     pid);
	}
	errx(EXIT_PROFIL, "cannot attach to process %d: %s", pid,
	     strerror(error));
}
