/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_COALESCE_H
#define PROFIL_LIB_COALESCE_H

#include <stdatomic.h>
#include <stdint.h>

/* Process ID in the upper half, number of requests in the lower; zero at first */
struct coalesce {
	_Atomic uint64_t wanted;
};

/*
 * Have @look called after this request, by this thread or by the one that is
 * calling it already. Requests made meanwhile share one more call. No thread
 * waits for another.
 */
void profil_coalesce(struct coalesce *coalesce, void (*look)(void));

#endif
