/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_RECORDED_FILE_H
#define PROFIL_RESOLVE_RECORDED_FILE_H

#include <stdbool.h>

#include "elf/symbols.h"
#include "profile/profile.h"

/*
 * Open the file of @object, without its symbols, if the file at its path is the
 * one that was recorded: it has the same build ID or, as @object, none. NULL
 * otherwise.
 */
struct symbols *profil_recorded_file_open(const struct profile_object *object);

/*
 * Open the symbols of @object, which has a build ID, with those of the servers of
 * DEBUGINFOD_URLS: of the recorded file that is still there, of the server's
 * copy or, if @has_addresses, of the separate debugging information alone, which
 * has no offsets of code. NULL if there is none.
 */
struct symbols *profil_recorded_file_fetch(const struct profile_object *object,
					   bool has_addresses);

#endif
