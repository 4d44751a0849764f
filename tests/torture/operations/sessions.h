/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * START and STOP of this process. A thread that compares numbers of samples has
 * the session to itself; the others then do without.
 */
#ifndef TORTURE_SESSIONS_H
#define TORTURE_SESSIONS_H

#include <stdbool.h>

#include <linux/profil.h>

#include "actor.h"

/* NULL if the driver is loaded, else why not */
const char *sessions_missing(void);

/*
 * Begin to change the session of this process; false while another thread has it
 * to itself.
 */
bool session_share(void);
void session_unshare(void);

/* Have the session to itself; false while other threads change it. */
bool session_seize(void);
void session_release(void);

/* In a child of fork: the only thread has neither. */
void session_inherit(void);

/*
 * The ioctls, by a descriptor of their own. Return 0 or a negative errno: EAGAIN
 * for START while the board is quiet.
 */
int session_start(struct profil_start *start);
int session_stop(struct profil_stats *stats);
int session_stats(struct profil_stats *stats);

/* Stop the session of this process, if no thread has it to itself. */
void session_fall_quiet(void);

/*
 * Start a session over a ledger, with regions drawn from @random: the one of this
 * process, or that of an attached descriptor.
 */
int session_start_ledger(struct stream *random);
int session_start_ledger_by(int fd, struct stream *random);

/* A failure if the outcomes of @stats, which @of returned, do not add up */
void session_check_stats(const char *of, const struct profil_stats *stats);

/* Use the CPU at a site, or in the kernel. */
void use_cpu(struct stream *random);

#endif /* TORTURE_SESSIONS_H */
