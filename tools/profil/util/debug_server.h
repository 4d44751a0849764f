/* SPDX-License-Identifier: GPL-2.0-only */
/* Server that has the debugging information of the files of a distribution */
#ifndef PROFIL_DEBUG_SERVER_H
#define PROFIL_DEBUG_SERVER_H

/*
 * URL of the server for the system below @root, "" for the running one, by ID and ID_LIKE
 * of os-release(5). NULL if none is known.
 */
const char *profil_debug_server(const char *root);

#endif
