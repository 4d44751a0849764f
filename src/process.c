// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/pid.h>
#include <linux/ptrace.h>
#include <linux/rculist.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/seqlock.h>

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
 * Does current trace @task? For a moment of another tracer's PTRACE_ATTACH and
 * PTRACE_DETACH, both under a lock that is not exported, the parent of @task
 * looks like its tracer. So the credentials that ptrace has recorded must not
 * exceed those of current: the other tracer has done nothing then that current
 * could not do. In an RCU section.
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

/*
 * The rule of ptrace_may_access() for credentials, and that of
 * ptrace_access_vm() for memory: who traces a process may not see memory of a
 * program that is not dumpable, such as one whose file cannot be read.
 */
static bool may_profile(struct task_struct *task, struct mm_struct *mm)
{
	bool may;

	rcu_read_lock();
	may = traces(task) &&
	      (compat_dumpable(task, mm) ||
	       ns_capable(compat_exec_user_ns(task, mm), CAP_SYS_PTRACE));
	rcu_read_unlock();
	return may;
}

static struct mm_struct *mm_of(struct task_struct *task)
{
	struct mm_struct *mm = get_task_mm(task);

	if (!mm)
		return ERR_PTR(-ESRCH);
	if (may_profile(task, mm))
		return mm;
	mmput(mm);
	return ERR_PTR(-EPERM);
}

/* exec changes address space and credentials under exec_update_lock. */
struct mm_struct *profil_process_mm(int pidfd)
{
	struct task_struct *task = task_of(pidfd);
	struct mm_struct *mm = ERR_PTR(-EINTR);

	if (IS_ERR(task))
		return ERR_CAST(task);
	if (!down_read_killable(&task->signal->exec_update_lock)) {
		mm = mm_of(task);
		up_read(&task->signal->exec_update_lock);
	}
	put_task_struct(task);
	return mm;
}

/* A thread that ends meanwhile makes an attempt to add up the sums fail. */
u64 profil_process_cpu_ns(void)
{
	struct signal_struct *signal = current->signal;
	const struct task_struct *thread;
	unsigned int sequence;
	int tries = 32;
	u64 sum;

	rcu_read_lock();
	do {
		sequence = read_seqbegin(&signal->stats_lock);
		sum = signal->sum_sched_runtime;
		/* for_each_thread() takes a lock that is not exported. */
		list_for_each_entry_rcu(thread, &signal->thread_head,
					thread_node)
			sum += READ_ONCE(thread->se.sum_exec_runtime);
	} while (read_seqretry(&signal->stats_lock, sequence) && --tries);
	rcu_read_unlock();
	return tries ? sum : 0;
}
