/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * START: make a session for the address space of current, then publish it. All
 * that can fail is done before the result is copied out to the caller, and
 * before the running session ends. STOP, which ends one; and the work of a session,
 * which does all that samples and callbacks leave to process context and that needs no
 * page of the program: unpin dropped pages, and retire a session that is ending.
 */
#ifndef PROFIL_START_H
#define PROFIL_START_H

#include <linux/types.h>

struct config;
struct session;
struct work_struct;

/*
 * Make a session of current's mm, not yet published, with its counters open.
 * Takes over the caller's reference to @config, also on failure. EAGAIN when the
 * user, or the address space, has as many sessions as the limit. Sleeps; may return
 * ERR_PTR().
 * profil_session_discard() undoes this.
 */
struct session *profil_start_prepare(struct config *config);

/*
 * Put @session in place of the running one: samples find it from here on. The
 * replaced session has ended on return. EINTR when a fatal signal is pending;
 * then @session is gone.
 */
int profil_start_publish(struct session *session);

/*
 * STOP: end the session of current's mm, record its deferred samples, and wait until
 * it has ended; EINTR. The caller has a reference.
 */
int profil_stop(struct session *session);

/* The function of session->work; see profil_session_init(). */
void profil_start_run_work(struct work_struct *work);

#endif /* PROFIL_START_H */
