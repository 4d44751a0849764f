/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The work item of a session, which does all that samples and callbacks leave to
 * process context and that needs no page of the program: insert the first notifier of
 * an address space, unpin dropped pages, and retire a session that is ending.
 */
#ifndef PROFIL_WORKER_H
#define PROFIL_WORKER_H

struct work_struct;

/* The function of session->work; see profil_session_init(). */
void profil_worker_run(struct work_struct *work);

#endif /* PROFIL_WORKER_H */
