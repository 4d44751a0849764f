/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SAME_FILE_H
#define PROFIL_SAME_FILE_H

#include <stdbool.h>

#include "include/run_layout.h"

/*
 * True if the file @fd has the identity @then: the same build ID if both have
 * one, otherwise the same device, inode, size and time of modification.
 */
bool profil_same_file(const struct run_identity *then, int fd);

/* True if the file @path has the device and inode of @then; it is not opened. */
bool profil_same_place(const struct run_identity *then, const char *path);

#endif
