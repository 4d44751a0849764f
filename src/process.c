// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include "books.h"
#include "compat.h"
#include "process.h"

static struct task_struct *task_of(int pidfd)
{
	struct task_struct *task = NULL;
	struct file *file = fget(pidfd);
	struct pid *pid;

	if (!file)
		return ERR_PTR(-EBADF);
	pid = compat_pidfd_pid(file);
	if (pid)
		task = get_pid_task(pid, PIDTYPE_PID) ?: ERR_PTR(-ESRCH);
	fput(file);
	return task ?: ERR_PTR(-EBADF);
}

/*
 * Does current trace @task? Then the kernel has made every check of ptrace(2). For a moment
 * of another tracer's PTRACE_ATTACH and PTRACE_DETACH, both under a lock that is not
 * exported, the parent of @task looks like its tracer. So the credentials that ptrace has
 * recorded must not exceed those of current: the other tracer has done nothing then that
 * current could not do. In an RCU section.
 */
static bool traces(struct task_struct *task)
{
	const struct cred *own = current_cred();
	const struct task_struct *parent;
	const struct cred *tracer;

	/* data race: another tracer's PTRACE_ATTACH or PTRACE_DETACH writes. */
	tracer = data_race(rcu_dereference(task->ptracer_cred));
	/* data race: the same. */
	parent = data_race(rcu_dereference(task->parent));
	/* data race: the same. */
	if (!tracer || !data_race(task->ptrace) || parent != current)
		return false;
	return tracer->user_ns == own->user_ns &&
	       uid_eq(tracer->euid, own->euid) &&
	       cap_issubset(tracer->cap_permitted, own->cap_permitted);
}

/* May current have samples taken of the process of @task? In an RCU section */
static bool is_own(struct task_struct *task)
{
	return same_thread_group(rcu_dereference(task->real_parent), current) ||
	       traces(task);
}

struct pid *profil_process_get(int pidfd)
{
	struct task_struct *task = task_of(pidfd);
	struct pid *process = ERR_PTR(-EPERM);

	if (IS_ERR(task))
		return ERR_CAST(task);
	rcu_read_lock();
	if (!pid_alive(task) || READ_ONCE(task->exit_state))
		process = ERR_PTR(-ESRCH);
	else if (is_own(task))
		process = book_get_pid(task_tgid(task)) ?: ERR_PTR(-ESRCH);
	rcu_read_unlock();
	put_task_struct(task);
	return process;
}

/* cap_capable() for CAP_SYS_PTRACE, of credentials that need not be current's */
static bool may_trace_in(const struct cred *cred,
			 const struct user_namespace *ns)
{
	for (; ns; ns = ns->parent) {
		if (ns == cred->user_ns)
			return cap_raised(cred->cap_effective, CAP_SYS_PTRACE);
		if (ns->parent == cred->user_ns &&
		    uid_eq(ns->owner, cred->euid))
			return true;
	}
	return false;
}

static bool has_ids_of(const struct cred *program, const struct cred *opener)
{
	return uid_eq(opener->uid, program->uid) &&
	       uid_eq(opener->uid, program->euid) &&
	       uid_eq(opener->uid, program->suid) &&
	       gid_eq(opener->gid, program->gid) &&
	       gid_eq(opener->gid, program->egid) &&
	       gid_eq(opener->gid, program->sgid);
}

bool profil_process_sees_all(const struct cred *opener)
{
	return may_trace_in(opener, &init_user_ns);
}

/* The rules of ptrace_may_access() and cap_ptrace_access_check(), by real IDs */
int profil_process_may_see(const struct cred *opener)
{
	const struct cred *program = current_real_cred();
	bool is_visible;

	if (!may_trace_in(opener, program->user_ns) &&
	    !(has_ids_of(program, opener) &&
	      program->user_ns == opener->user_ns &&
	      cap_issubset(program->cap_permitted, opener->cap_permitted)))
		return -EPERM;
	rcu_read_lock();
	is_visible = compat_dumpable() ||
		     may_trace_in(opener, compat_exec_user_ns());
	rcu_read_unlock();
	return is_visible ? 0 : -EACCES;
}
