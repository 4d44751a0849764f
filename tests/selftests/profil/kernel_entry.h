/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two ways into the kernel, each from one known PC.
 *
 * The PC of a program in a system call is that of the instruction behind the
 * one that made it; in a page fault that of the one that faulted.
 */
#ifndef PROFIL_TEST_KERNEL_ENTRY_H
#define PROFIL_TEST_KERNEL_ENTRY_H

#include <stddef.h>

/* Make the system call @nr; a negative errno if it fails. */
long do_call(long nr, long first, long second, long third);
extern const char after_call[];

/* Fill memory with one instruction. */
void do_store(void *at, int value, size_t bytes);
extern const char the_store[];

/* Both together are so long, from do_call on. */
#define KERNEL_ENTRY_BYTES 64

#endif /* PROFIL_TEST_KERNEL_ENTRY_H */
