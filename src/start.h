/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * START: make a session for the address space of current, then publish it. All
 * that can fail is done before the result is copied out to the caller, and
 * before the running session ends. STOP: end the session, and record its deferred
 * samples before.
 */
#ifndef PROFIL_START_H
#define PROFIL_START_H

#include <linux/types.h>

struct config;
struct session;

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

#endif /* PROFIL_START_H */
