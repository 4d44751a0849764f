/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples: from the interrupt of a clock to the session of the interrupted
 * program.
 */
#ifndef PROFIL_SAMPLE_H
#define PROFIL_SAMPLE_H

#include <linux/types.h>

/* Hard interrupt, the scheduler tick: sample current, if the tick serves it. */
void profil_sample_tick(void);

/*
 * Hard interrupt, the timer of this CPU: sample current, if the timer serves it
 * here. Returns the nanoseconds to the next sample, 0 if it does not.
 */
u64 profil_sample_timer(void);

#endif /* PROFIL_SAMPLE_H */
