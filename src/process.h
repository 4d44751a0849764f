/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Processes: the address space of a process that a pidfd names, if current may
 * profile it.
 *
 * Current may do so as the ptracer of the process at that moment: the kernel
 * has then made every check of ptrace(2), those of security modules included.
 * Or by CAP_SYS_PTRACE, to which security modules can object as to any
 * capability, and not as to a PTRACE_ATTACH.
 */
#ifndef PROFIL_PROCESS_H
#define PROFIL_PROCESS_H

struct mm_struct;

/*
 * The address space of the process of @pidfd, with a reference to its user:
 * mmput(). EBADF when @pidfd is no pidfd; ESRCH when the process has ended, or
 * has no address space; EPERM; EINTR when a fatal signal is pending. Sleeps.
 */
struct mm_struct *profil_process_mm(int pidfd);

#endif /* PROFIL_PROCESS_H */
