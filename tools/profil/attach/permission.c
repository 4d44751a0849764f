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
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/profil.h>

#include "attach/permission.h"
#include "util/exit_status.h"

#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

/**
 * struct seizure - what the tracing thread does
 * @device: descriptor to attach
 * @pid: process
 * @attach: arguments of ATTACH
 * @error: errno, or 0
 */
struct seizure {
	int device;
	pid_t pid;
	struct profil_attach attach;
	int error;
};

static void *seize(void *data)
{
	struct seizure *seizure = data;

	if (ptrace(PTRACE_SEIZE, seizure->pid, NULL, NULL) ||
	    ioctl(seizure->device, PROFIL_IOC_ATTACH, &seizure->attach))
		seizure->error = errno;
	return NULL;
}

static int attach_as_tracer(int device, pid_t pid,
			    const struct profil_attach *attach)
{
	struct seizure seizure = { device, pid, *attach, 0 };
	pthread_t thread;
	int error = pthread_create(&thread, NULL, seize, &seizure);

	if (error)
		return -error;
	pthread_join(thread, NULL);
	return -seizure.error;
}

/* profil traces the process already where its exec has stopped it. */
int profil_permission_attach(int device, pid_t pid, bool children)
{
	struct profil_attach attach = {
		.size = sizeof(attach),
		.flags = children ? PROFIL_ATTACH_CHILDREN : 0,
		.pidfd = pidfd_open(pid, 0),
	};
	int error = 0;

	/* Other errors than ESRCH are about a thread that leads no process. */
	if (attach.pidfd < 0)
		return errno == EINVAL || errno == ENOENT ? -ESRCH : -errno;
	if (ioctl(device, PROFIL_IOC_ATTACH, &attach))
		error = -errno;
	if (error == -EPERM)
		error = attach_as_tracer(device, pid, &attach);
	close(attach.pidfd);
	return error;
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
	case EALREADY:
		errx(EXIT_PROFIL,
		     "process %d is attached to another profil: end that one first",
		     pid);
	case ENOTTY:
		errx(EXIT_PROFIL,
		     "this driver cannot attach to a process: install the module of this profil, and see profil doctor");
	case EAGAIN:
		errx(EXIT_PROFIL,
		     "process %d is one more than max_sessions allows: see profil doctor",
		     pid);
	case ENOMEM:
		errx(EXIT_PROFIL,
		     "no memory to attach to process %d: ulimit -l unlimited, or run profil as root",
		     pid);
	}
	errx(EXIT_PROFIL, "cannot attach to process %d: %s", pid,
	     strerror(error));
}
