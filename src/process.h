/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes: the address space of a process that a pidfd names, if current may
 * profile it; and the CPU time of current's process.
 *
 * Current may do so as the ptracer of the process at that moment only: the
 * kernel has then made every check of ptrace(2), those of security modules
 * included.
 */
#ifndef PROFIL_PROCESS_H
#define PROFIL_PROCESS_H

#include <linux/types.h>

struct cred;
struct mm_struct;
struct pid;

/*
 * The address space of the process of @pidfd, with a reference to its user:
 * mmput(). EBADF when @pidfd is no pidfd; ESRCH when the process has ended, or
 * has no address space; EPERM; EINTR when a fatal signal is pending. Sleeps.
 */
struct mm_struct *profil_process_mm(int pidfd);

/*
 * The process of @pidfd, with a reference: put_pid(). Current's process is its parent,
 * or current its ptracer. EBADF when @pidfd is no pidfd; ESRCH when the process has
 * ended; EPERM.
 */
struct pid *profil_process_get(int pidfd);

/*
 * May who had the credentials @opener see what current's program executes? The rule of
 * ptrace(2), without that of security modules. Process context, in which current cannot
 * be in execve().
 */
bool profil_process_may_see(const struct cred *opener);

/*
 * Nanoseconds that all threads of current's process, ended ones included, have
 * been on a CPU; 0 if threads end all the time. The time of a thread on a CPU is up
 * to its last tick or switch. Process context.
 */
u64 profil_process_cpu_ns(void);

#endif /* PROFIL_PROCESS_H */
