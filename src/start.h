/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * START: make a session for the address space of current, then publish it. All that can
 * fail is done before the result is copied out, and before the running session ends. STOP:
 * record the deferred samples of the session, and end it.
 *
 * The work of a session does what samples and callbacks leave to process context and needs
 * no page of the program: insert the first notifier of an address space, unpin dropped
 * pages, and retire the session.
 */
#ifndef PROFIL_START_H
#define PROFIL_START_H

#include <linux/types.h>

struct config;
struct session;
struct work_struct;

/*
 * Make a session of current's mm, not yet published, with its counters open. Takes over the
 * reference to @config, also on failure. EAGAIN at the limit of the user, or of the address
 * space. Sleeps; may return ERR_PTR(). profil_session_discard() undoes this.
 */
struct session *profil_start_prepare(struct config *config);

/*
 * Put @session in place of the running one, which has ended on return. EINTR when a fatal
 * signal is pending; then @session is gone.
 */
int profil_start_publish(struct session *session);

/* STOP; EINTR. The caller has a reference. */
int profil_stop(struct session *session);

/* The function of session->work */
void profil_start_work(struct work_struct *work);

#endif /* PROFIL_START_H */
