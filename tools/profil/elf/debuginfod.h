/* SPDX-License-Identifier: GPL-2.0-only */
/* Files from the servers of DEBUGINFOD_URLS, by build ID */
#ifndef PROFIL_DEBUGINFOD_H
#define PROFIL_DEBUGINFOD_H

#include "util/base.h"

/* Kinds of files */
enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE };

/*
 * There are servers to ask: DEBUGINFOD_URLS is set, and the servers have
 * answered so far.
 */
bool profil_debuginfod_has_servers(void);

/* Ask the servers, and store the path of the file, unless there is none, in @path. */
void profil_debuginfod_path(enum debuginfod_kind kind, const void *id,
			    size_t size, char path[PATH_MAX]);

#endif
