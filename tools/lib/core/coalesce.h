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
 * Request a call of @look. This thread calls @look, unless another thread is
 * calling it: that thread then calls it once more for all requests made
 * meanwhile. No thread waits for another.
 */
void profil_coalesce(struct coalesce *coalesce, void (*look)(void));

#endif
