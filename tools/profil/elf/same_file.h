/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_SAME_FILE_H
#define PROFIL_SAME_FILE_H

#include <stdbool.h>

#include "include/run_layout.h"

/*
 * Whether the file that is open as @fd is the one that @then tells of: by the
 * build ID if both have one, otherwise by device, inode, size and time of
 * modification.
 */
bool profil_same_file(const struct run_identity *then, int fd);

#endif
