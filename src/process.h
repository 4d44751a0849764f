/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes: which of them current may have sampled, and what samples may tell. */
#ifndef PROFIL_PROCESS_H
#define PROFIL_PROCESS_H

#include <linux/types.h>

struct cred;
struct pid;

/*
 * The process of @pidfd, with a reference. EBADF when @pidfd is no pidfd; ESRCH when the
 * process has ended; EPERM unless current's process is its parent, or current its ptracer.
 */
struct pid *profil_process_get(int pidfd);

/*
 * May who had the credentials @opener see what current's program executes? By the rule of
 * ptrace(2), without that of security modules. 0; EPERM when the program has other
 * credentials, or more; EACCES when it is not dumpable. Process context: task works in
 * execve() run before the program and the credentials change.
 */
int profil_process_may_see(const struct cred *opener);

/* May who has the credentials @opener see every program? */
bool profil_process_sees_all(const struct cred *opener);

#endif /* PROFIL_PROCESS_H */
