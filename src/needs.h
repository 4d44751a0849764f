/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Needs: by which hooks and probes the kernel calls the module. The first session that
 * needs one has it attached, until the module is unloaded. Attaching patches the kernel's
 * text, and waits for tasks that are in the kernel, under locks that the whole machine
 * shares. So a worker attaches, on which no user's scheduling class or limit has an effect,
 * and nothing that a user does detaches.
 */
#ifndef PROFIL_NEEDS_H
#define PROFIL_NEEDS_H

#include <linux/types.h>

/* A set of needs is a mask of BIT(need). */
enum need {
	NEED_FORK,
	NEED_TICK,
	NEED_TIMER,
	NEED_MAPPINGS,
};

/*
 * Have a worker attach what serves @needs, and wait for it. EINTR for a fatal signal, or
 * the errno of the first need that could not be served: EBUSY when ftrace is switched off.
 * The next call tries again. Sleeps.
 */
int profil_needs_attach(unsigned int needs);

/* The same for the clocks that serve samples with this period, and for @needs */
int profil_needs_attach_clocks(u64 period_ns, unsigned int needs);

/* No session is left: detach everything, and wait for probes. Sleeps. */
void profil_needs_exit(void);

#endif /* PROFIL_NEEDS_H */
