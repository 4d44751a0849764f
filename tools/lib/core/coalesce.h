/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_COALESCE_H
#define PROFIL_LIB_COALESCE_H

#include <stdatomic.h>
#include <stdint.h>

/* Process in the upper half, looks wanted in it in the lower; zero at first */
struct coalesce {
	_Atomic uint64_t wanted;
};

/*
 * Have @look called after this, by this thread or by one that is at it already.
 * One thread looks, and again for those that came meanwhile; none waits.
 */
void profil_coalesce(struct coalesce *coalesce, void (*look)(void));

#endif
