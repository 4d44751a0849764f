/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two ways into the kernel, each from one known PC.
 *
 * The user PC during a system call is that of the next instruction; during a
 * page fault it is that of the faulting instruction.
 */
#ifndef PROFIL_TEST_KERNEL_ENTRY_H
#define PROFIL_TEST_KERNEL_ENTRY_H

#include <stddef.h>

/* Make the system call @nr. Return its result or a negative errno. */
long do_call(long nr, long first, long second, long third);
extern const char after_call[];

/* Fill memory; one instruction stores. */
void do_store(void *at, int value, size_t bytes);
extern const char the_store[];

/* The length of both functions together, from do_call on. */
#define KERNEL_ENTRY_BYTES 64

#endif /* PROFIL_TEST_KERNEL_ENTRY_H */
