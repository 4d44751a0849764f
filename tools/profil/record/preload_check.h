/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PRELOAD_CHECK_H
#define PROFIL_PRELOAD_CHECK_H

/*
 * What LD_PRELOAD has to name for libprofil.so.1 to be preloaded, in static
 * storage. Exits if there is no library, or no such word for it.
 */
const char *profil_preload_library(void);

#endif
