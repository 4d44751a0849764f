/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Works of tasks: a function that a task calls before it next returns to user mode. The
 * kernel's own functions add a work in process context only, where KASAN may record a
 * stack, and its function that takes one back is not exported.
 */
#ifndef PROFIL_TASK_WORK_H
#define PROFIL_TASK_WORK_H

#include <linux/bug.h>
#include <linux/sched.h>
#include <linux/task_work.h>

#include "books.h"

static inline bool task_is_exiting(const struct task_struct *task)
{
	/* data race: an interrupted task may be changing other flags. */
	return data_race(task->flags) & PF_EXITING;
}

/**
 * profil_task_work_add() - make @task call @work->func before user mode
 * @task: current, outside of its exit, or a task that has not run yet
 * @work: initialised by init_task_work(); it belongs to @task until it runs
 *
 * Any context in which @task can neither begin to run nor return to user mode. The works
 * of a task run in its context, in any order, before user mode or in its exit: in
 * exit_task_work(), which closes the list, after PF_EXITING is set. So the list is open
 * here. Other CPUs may add works at the same time: hence try_cmpxchg(). No wakeup is
 * needed: both kinds of tasks test TIF_NOTIFY_RESUME before they are in user mode.
 */
static inline void profil_task_work_add(struct task_struct *task,
					struct callback_head *work)
{
	struct callback_head *head = READ_ONCE(task->task_works);

	WARN_ON_ONCE(task_is_exiting(task));
	book_add(BOOK_TASK_WORKS, 1);
	do {
		work->next = head;
	} while (!try_cmpxchg(&task->task_works, &head, work));
	set_tsk_thread_flag(task, TIF_NOTIFY_RESUME);
}

/* The most works of a task that are looked at with interrupts off */
#define TASK_WORK_SEARCH_MAX 1024

/**
 * profil_task_work_cancel() - take back a work that has not begun
 * @task: NULL from a moment on at which the task has still to end, so RCU keeps it
 * @work: added to *@task before. Another CPU may run it now, and return
 *
 * True if the work does not run, and belongs to the caller; false also if the task has too
 * many works, as one that closes very many files. As the kernel's task_work_cancel():
 * pi_lock keeps the task from running works that it has taken off its list, and others
 * from removing works; works are added at its head. Process context.
 */
static inline bool profil_task_work_cancel(struct task_struct **task,
					   struct callback_head *work)
{
	struct callback_head **at, *here = NULL;
	unsigned int searched = 0;
	struct task_struct *owner;
	unsigned long flags;

	rcu_read_lock();
	owner = READ_ONCE(*task);
	if (!owner)
		goto unlock;
	at = &owner->task_works;
	raw_spin_lock_irqsave(&owner->pi_lock, flags);
	here = READ_ONCE(*at);
	while (here) {
		if (here != work) {
			at = &here->next;
			here = ++searched < TASK_WORK_SEARCH_MAX ?
				       READ_ONCE(*at) :
				       NULL;
		} else if (try_cmpxchg(at, &here, work->next)) {
			break;
		}
	}
	raw_spin_unlock_irqrestore(&owner->pi_lock, flags);
unlock:
	rcu_read_unlock();
	book_add(BOOK_TASK_WORKS, -!!here);
	return here;
}

#endif /* PROFIL_TASK_WORK_H */
