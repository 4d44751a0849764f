/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_PRELOAD_CHECK_H
#define PROFIL_PRELOAD_CHECK_H

/*
 * Path of libprofil.so.1 for LD_PRELOAD, in static storage. Exits if the library
 * is not found, or LD_PRELOAD cannot contain its path.
 */
const char *profil_preload_library(void);

#endif
