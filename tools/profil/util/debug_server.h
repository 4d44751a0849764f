/* SPDX-License-Identifier: GPL-2.0-only */
/* Server that has the debugging information of the files of a distribution */
#ifndef PROFIL_DEBUG_SERVER_H
#define PROFIL_DEBUG_SERVER_H

/*
 * URL of the server for the system below @root, "" for the running one, by ID and ID_LIKE
 * of os-release(5). NULL if none is known.
 */
const char *profil_debug_server(const char *root);

/*
 * A copy of the list of URLs @servers, as DEBUGINFOD_URLS has it, without users, passwords
 * and queries, which may be secrets. The caller frees it.
 */
char *profil_debug_servers_shown(const char *servers);

#endif
