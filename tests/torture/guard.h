/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Access to memory that may be missing: a file may have been cut off, a huge page
 * may not be had, a server may not answer. A signal in any other access is a
 * failure of the process.
 */
#ifndef TORTURE_GUARD_H
#define TORTURE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* Handle SIGSEGV and SIGBUS in this process. */
void guard_begin(void);

/* Fill memory. False if some of it is missing. */
bool guard_fill(void *at, int value, size_t bytes);

/* The result of guard_check() */
enum canary { UNTOUCHED, TOUCHED, MISSING };

/*
 * Check that each page is full of poison, or full of zeros if @zeros is set.
 * *@found is the address of the first other word.
 */
enum canary guard_check(const void *at, size_t bytes, bool zeros,
			const void **found);

#endif /* TORTURE_GUARD_H */
