// SPDX-License-Identifier: GPL-2.0-only
#include <linux/profil.h>
#include <linux/sched/task_stack.h>

#include "sample.h"

/* SVR4: collection ends when one counter reaches its limit. */
static void stop_when_full(struct session *session)
{
	if (!(session->config->flags & PROFIL_F_STOP_AT_32767))
		return;
	WRITE_ONCE(session->full, true);
	WRITE_ONCE(session->running, false);
}

bool profil_record_outcome(struct session *session, enum counter_result result)
{
	struct tally *tally = &session->tally;

	switch (result) {
	case COUNTER_WAS_FULL:
		atomic64_inc(&tally->saturated);
		fallthrough;
	case COUNTER_REACHED_FULL:
		stop_when_full(session);
		fallthrough;
	case COUNTER_ADDED:
		atomic64_inc(&tally->hits);
		return true;
	case COUNTER_ENDED:
		atomic64_inc(&tally->outside);
		return true;
	default:
		return false;
	}
}

void profil_record_or_defer(struct session *session, u64 pc, bool kernel,
			    enum counter_result result)
{
	if (profil_record_outcome(session, result))
		return;
	if (pending_push(&session->pending, pc, kernel))
		profil_session_queue_work(session);
	else
		record_lost(session, 1);
}

static void count(struct session *session, u64 pc, bool kernel)
{
	struct region_hit hit;

	if (region_find(&session->config->map, pc, kernel, &hit))
		sample_hit(session, pc, kernel, &hit);
	else
		atomic64_inc(&session->tally.outside);
}

/* A sample in kernel mode is taken at the PC where the program entered it. */
void profil_sample_other(struct session *session, struct pt_regs *regs)
{
	if (user_mode(regs)) {
		count(session, instruction_pointer(regs), false);
		return;
	}
	atomic64_inc(&session->tally.kernel_samples);
	if (!(session->config->flags & PROFIL_F_USER_ONLY))
		count(session, instruction_pointer(task_pt_regs(current)),
		      true);
}
