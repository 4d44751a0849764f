// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processes that a recording is attached to
 *
 * PTRACE_SEIZE does not stop a process. PTRACE_DETACH wants a stopped one, and to
 * stop it would end some of its system calls, epoll_wait(2) for one, with EINTR.
 * The kernel detaches the processes of a tracer that exits, stopped or not, and
 * the tracer is a thread.
 */
#include <pthread.h>
#include <sys/pidfd.h>
#include <sys/ptrace.h>

#include "record/recorder.h"
#include "record/seen.h"
#include "record/targets.h"
#include "util/text.h"

#define YAMA "/proc/sys/kernel/yama/ptrace_scope"

/* The process that a tracing thread adds, and its result: 0 or -errno */
struct seizure {
	const struct targets *targets;
	pid_t pid;
	int pidfd;
	int error;
};

static void *seize(void *data)
{
	struct seizure *it = data;
	const struct targets *targets = it->targets;
	uint32_t flags = targets->request->children ? PROFIL_ADD_CHILDREN : 0;

	if (ptrace(PTRACE_SEIZE, it->pid, NULL, NULL))
		it->error = -errno;
	else
		it->error = profil_table_add(targets->table, it->pidfd, flags);
	return NULL;
}

static int add_as_tracer(const struct targets *targets, pid_t pid, int pidfd)
{
	struct seizure seizure = { targets, pid, pidfd, 0 };
	pthread_t thread;
	int error = pthread_create(&thread, NULL, seize, &seizure);

	if (error)
		return -error;
	pthread_join(thread, NULL);
	return seizure.error;
}

static int yama(void)
{
	char line[16];

	return atoi(profil_text_line(YAMA, line, sizeof(line)));
}

/* Value of ptrace_scope that cannot be changed any more */
#define YAMA_FINAL 3

static void refuse_by_yama(pid_t pid, int scope)
{
	if (scope == YAMA_FINAL)
		die_err("process %d may not be traced, since kernel.yama.ptrace_scope is %d up to the next boot: set 1 in /etc/sysctl.d, and boot",
			pid, scope);
	die_err("process %d may be traced by root alone, since kernel.yama.ptrace_scope is %d: run profil as root, or sudo sysctl kernel.yama.ptrace_scope=0",
		pid, scope);
}

static void refuse(pid_t pid)
{
	int tracer = profil_process_status(pid, "TracerPid:", 10);
	uid_t owner = profil_process_owner(pid);
	int scope = yama();

	/* Root may trace the processes of all users. */
	if (geteuid() && owner != geteuid() && owner != (uid_t)-1)
		die_err("process %d belongs to another user: run profil as that user, or as root",
			pid);
	if (tracer)
		die_err("process %d is traced by process %d: end that one first",
			pid, tracer);
	if (scope)
		refuse_by_yama(pid, scope);
	die_err("process %d may not be traced: run profil as root", pid);
}

static void __attribute__((noreturn))
explain(const struct targets *targets, pid_t pid, int error)
{
	switch (error) {
	case EPERM:
	case EACCES:
		refuse(pid);
		break;
	case ESRCH:
		die_err("process %d does not exist, or has no program", pid);
	case EBUSY:
		die_err("%d recordings of process %d run already: end one, or run profil as root",
			PROFIL_MAX_TREES, pid);
	case EAGAIN:
		die_err("process %d is one more than the %zu of a recording: attach to fewer",
			pid, targets->table->nr_counters);
	}
	die_err("cannot attach to process %d: %s", pid, strerror(error));
}

/* Other errors than ESRCH are about a thread that leads no process. */
static int open_process(pid_t pid)
{
	int fd = pidfd_open(pid, 0);

	if (fd >= 0)
		return fd;
	return errno == EINVAL || errno == ENOENT ? -ESRCH : -errno;
}

static bool has_program(pid_t pid)
{
	char program[2];

	return readlink(profil_process_path(pid, "exe").text, program,
			sizeof(program)) >= 0 ||
	       errno != ENOENT;
}

/* Add the process @pid; its descriptor, or -errno. */
static int add_process(struct targets *targets, pid_t pid)
{
	int error, fd = open_process(pid);

	if (fd < 0)
		return fd;
	/* A thread of the kernel has no program. */
	error = add_as_tracer(targets, pid, fd);
	if (error == -EPERM && !has_program(pid))
		error = -ESRCH;
	if (error) {
		close(fd);
		return error;
	}
	profil_growing_process(targets->growing, pid,
			       profil_process_begin_ns(pid));
	return fd;
}

/*
 * Add the descendants of @pid; the number of those that were not in the table. A
 * process that was not in it yet may have forked meanwhile.
 */
static size_t add_descendants(struct targets *targets, pid_t pid,
			      size_t *refused)
{
	struct process *tree;
	size_t nr, added = 0;

	*refused = 0;
	tree = profil_process_tree(pid, &nr);
	for (size_t i = 0; i < nr; i++) {
		int fd = tree[i].pid == pid ? -EALREADY :
					      add_process(targets, tree[i].pid);

		*refused += fd == -EAGAIN;
		added += fd >= 0;
		if (fd >= 0)
			close(fd);
	}
	free(tree);
	return added;
}

/* The process @root has the descendant @pid, or any with 0. */
static bool has_descendant(pid_t root, pid_t pid)
{
	struct process *tree;
	bool is_found = false;
	size_t nr;

	tree = profil_process_tree(root, &nr);
	for (size_t i = 0; i < nr; i++)
		is_found |= tree[i].pid != root && (!pid || tree[i].pid == pid);
	free(tree);
	return is_found;
}

static const char not_added[] =
	"%zu descendants of process %d are not recorded: a recording has %zu processes at most";

/* A process may be named twice, and be a descendant of another one. */
static void attach_one(struct targets *targets, pid_t pid)
{
	size_t refused = 0;
	int fd = add_process(targets, pid);

	if (fd == -EALREADY)
		fd = open_process(pid);
	if (fd < 0)
		explain(targets, pid, -fd);
	ARRAY_ADD(targets->fds, targets->nr,
		  (struct pollfd){ .fd = fd, .events = POLLIN });
	if (!targets->request->children) {
		targets->have_children |= has_descendant(pid, 0);
		return;
	}
	while (add_descendants(targets, pid, &refused))
		;
	if (refused)
		warnx(not_added, refused, pid, targets->table->nr_counters);
}

/* Another one of the processes has the CPU time of the one with index @at in its own. */
static bool is_part(const struct targets *targets, size_t at)
{
	const long *pids = targets->request->pids.items;

	for (size_t i = 0; i < targets->request->pids.nr; i++) {
		if (pids[i] == pids[at] && i < at)
			return true;
		if (pids[i] != pids[at] && targets->request->children &&
		    has_descendant(pids[i], pids[at]))
			return true;
	}
	return false;
}

void profil_targets_attach(struct targets *targets)
{
	const struct option_numbers *pids = &targets->request->pids;

	ARRAY_ADD(targets->fds, targets->nr,
		  (struct pollfd){ .fd = -1, .events = POLLIN });
	ARRAY_ADD(targets->fds, targets->nr,
		  (struct pollfd){ .fd = -1, .events = POLLPRI });
	for (size_t i = 0; i < pids->nr; i++)
		attach_one(targets, pids->items[i]);
	for (size_t i = 0; i < pids->nr; i++) {
		pid_t pid = pids->items[i];
		struct cpu_time now;

		if (is_part(targets, i))
			continue;
		now = profil_cpu_time(pid, targets->request->children);
		ARRAY_ADD(targets->counted, targets->nr_counted,
			  (struct counted){ pid, now, now });
	}
}

/* A process that has ended has no CPU time in /proc any more. */
struct cpu_time profil_targets_cpu(struct targets *targets)
{
	struct cpu_time sum = { 0 };

	for (size_t i = 0; i < targets->nr_counted; i++) {
		struct counted *counted = &targets->counted[i];
		bool children = targets->request->children;
		struct cpu_time now = profil_cpu_time(counted->pid, children);

		if (now.all_ns > counted->now.all_ns &&
		    now.kernel_ns >= counted->now.kernel_ns)
			counted->now = now;
		sum.all_ns += counted->now.all_ns - counted->before.all_ns;
		sum.kernel_ns +=
			counted->now.kernel_ns - counted->before.kernel_ns;
	}
	return sum;
}

bool profil_targets_have_ended(struct targets *targets)
{
	size_t kept = TARGET_FIRST;

	for (size_t i = TARGET_FIRST; i < targets->nr; i++) {
		if (poll(&targets->fds[i], 1, 0) > 0)
			close(targets->fds[i].fd);
		else
			targets->fds[kept++] = targets->fds[i];
	}
	targets->nr = kept;
	return targets->request->children ?
		       profil_table_has_ended(targets->table) :
		       kept == TARGET_FIRST;
}

void profil_targets_free(struct targets *targets)
{
	for (size_t i = TARGET_FIRST; i < targets->nr; i++)
		close(targets->fds[i].fd);
	free(targets->fds);
	free(targets->counted);
}
