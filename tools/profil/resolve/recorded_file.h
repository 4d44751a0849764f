/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_RESOLVE_RECORDED_FILE_H
#define PROFIL_RESOLVE_RECORDED_FILE_H

#include "elf/symbols.h"
#include "profile/profile.h"

/*
 * Open the file of @object, without its symbols, if the file at its path is the
 * one that was recorded: it has the same build ID or, as @object, none. NULL
 * otherwise.
 */
struct symbols *profil_recorded_file_open(const struct profile_object *object);

#endif
