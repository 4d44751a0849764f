/* SPDX-License-Identifier: GPL-2.0-only */
/* A child that its parent traces, up to the first instruction of its program */
#ifndef PROFIL_EXEC_STOP_H
#define PROFIL_EXEC_STOP_H

#include <stdbool.h>
#include <sys/types.h>

/* Trace the child @pid, which has not executed its program; false: not allowed */
bool profil_exec_stop_begin(pid_t pid);

/*
 * Wait until the child is stopped at the beginning of its program; false if it has
 * ended. Its status can still be waited for.
 */
bool profil_exec_stop_wait(pid_t pid);

/* Let the child go on, without a tracer. */
void profil_exec_stop_end(pid_t pid);

#endif
