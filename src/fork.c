// SPDX-License-Identifier: GPL-2.0-only
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "fork.h"
#include "registry.h"
#include "session.h"
#include "trace.h"

static struct tracepoint *tracepoint;

/*
 * In the parent, preemption off, after the mm is copied and before the child
 * first runs. Threads and vfork children share the mm, and the session.
 */
static void on_fork(void *data, struct task_struct *parent,
		    struct task_struct *child)
{
	struct session *session;

	if (registry_empty() || !child->mm || child->mm == parent->mm)
		return;
	rcu_read_lock();
	session = registry_find(parent->mm);
	if (session)
		session_fork(session, child);
	rcu_read_unlock();
}

int profil_fork_init(void)
{
	tracepoint = trace_find("sched_process_fork");
	if (!tracepoint)
		return -ENODEV;
	return tracepoint_probe_register(tracepoint, on_fork, NULL);
}

void profil_fork_exit(void)
{
	tracepoint_probe_unregister(tracepoint, on_fork, NULL);
}
