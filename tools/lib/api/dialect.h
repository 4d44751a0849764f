/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PROFIL_LIB_DIALECT_H
#define PROFIL_LIB_DIALECT_H

#include "core/device.h"
#include "core/one_region.h"

/* System whose profil() and sprofil() a program expects; 4.4BSD's by default */
enum profil_dialect {
	PROFIL_DIALECT_DEFAULT,
	PROFIL_DIALECT_AIX,
	PROFIL_DIALECT_SVR4,
	PROFIL_DIALECT_BSD,
	PROFIL_DIALECT_IRIX,
};

/* Dialect, read from the environment at the first call */
enum profil_dialect profil_dialect(void);

/*
 * profil() exactly as 4.4BSD's manual describes it: 0 or -errno. A scale of 1 is
 * one counter per 128 KiB; any buffer that cannot hold counters is -EFAULT.
 */
int profil_bsd_switch(struct one_region *one);

/* IRIX's profil(): sprofil() with @one and PROF_USHORT; 0 or -errno */
int profil_irix_switch(struct one_region *one);

/*
 * Start the regions of @start as IRIX does, after changing them: an overflow
 * bin gets a whole counter, and a region with unwritable counters is switched
 * off. 0 or -errno; -EINVAL if an overflow bin is not the last region.
 */
int profil_irix_start(struct profil_start *start);

#endif
