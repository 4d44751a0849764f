/* SPDX-License-Identifier: GPL-2.0-only */
/* Files from the servers of DEBUGINFOD_URLS, by build ID */
#ifndef PROFIL_ELF_DEBUGINFOD_H
#define PROFIL_ELF_DEBUGINFOD_H

#include <stdbool.h>
#include <stddef.h>

/* Kinds of files */
enum debuginfod_kind { DEBUGINFOD_DEBUGINFO, DEBUGINFOD_EXECUTABLE };

/*
 * There are servers to ask: DEBUGINFOD_URLS is set, and the servers have
 * answered so far.
 */
bool profil_debuginfod_has_servers(void);

/*
 * Descriptor of the file with the build ID @id of @size bytes, or -1. Servers
 * that do not answer are asked no more, after a warning.
 */
int profil_debuginfod_find(enum debuginfod_kind kind, const void *id,
			   size_t size);

#endif
