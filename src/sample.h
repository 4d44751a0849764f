/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: from the interrupt of a clock to the session of the interrupted
 * program.
 */
#ifndef PROFIL_SAMPLE_H
#define PROFIL_SAMPLE_H

#include <linux/types.h>

struct session;

/*
 * Hard interrupt, the scheduler tick: sample current for its own session, or
 * for that of a descriptor that is attached to it, if the tick serves it.
 */
void profil_sample_tick(void);
void profil_sample_attached_tick(void);

/*
 * Hard interrupt, a timer of this CPU, which serves @session: sample current.
 */
void profil_sample_timer(struct session *session);

#endif /* PROFIL_SAMPLE_H */
