/* SPDX-License-Identifier: GPL-2.0-only */
/* Attaching a descriptor of the driver to a process, with the right to do so */
#ifndef PROFIL_PERMISSION_H
#define PROFIL_PERMISSION_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * Attach the descriptor @device of the driver to the process @pid, and with
 * @children to those that it forks later: 0 or -errno, as ATTACH. The caller is the
 * ptracer of the process for that moment; the process is not stopped.
 */
int profil_permission_attach(int device, pid_t pid, bool children);

/* Exit with a sentence on the @error that the process @pid was refused with. */
void profil_permission_explain(pid_t pid, int error) __attribute__((noreturn));

#endif
