/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls of the driver by a 64-bit and by a 32-bit program */
#ifndef FUZZ_CALLER_H
#define FUZZ_CALLER_H

#include <stdbool.h>

#include <linux/types.h>

enum caller { CALLER_64, CALLER_32, NR_CALLERS };

/* True if the kernel takes system calls of 32-bit programs. */
bool caller_works(enum caller caller, int fd);

/* ioctl(); the result is 0 or a negative errno. A 32-bit caller cuts @at off. */
int call_as(enum caller caller, int fd, unsigned long command, __u64 at);

#endif /* FUZZ_CALLER_H */
