/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding a process that runs to a table of the driver, with the right to do so */
#ifndef PROFIL_PERMISSION_H
#define PROFIL_PERMISSION_H

#include <stdint.h>
#include <sys/types.h>

#include "record/table.h"

/*
 * Add the process @pid, whose descriptor is @pidfd, to @table by PROFIL_ADD_* flags:
 * 0 or -errno. The caller is the ptracer of the process for that moment; the process
 * is not stopped.
 */
int profil_permission_add(const struct table *table, pid_t pid, int pidfd,
			  uint32_t flags);

/* Exit with a sentence on the @error that the process @pid was refused with. */
void profil_permission_explain(pid_t pid, int error) __attribute__((noreturn));

#endif
