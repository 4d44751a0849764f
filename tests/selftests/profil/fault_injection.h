/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's fault injection: the n-th allocation, or copy from or to the
 * program, of a call fails. Needs a kernel with fault injection, and root.
 */
#ifndef PROFIL_TEST_FAULT_INJECTION_H
#define PROFIL_TEST_FAULT_INJECTION_H

#include <stdbool.h>

#define MOST_FAULTS 500

/* Open this thread's fail-nth; false if the kernel has none. */
bool faults_open(void);

/* Let nothing fail any more. */
void faults_close(void);

void allow_every_fault(void);

/* Let only code below the module, a function or anything fail. */
bool focus_on_module(void);
bool focus_on_function(const char *name);
void focus_on_nothing(void);

/* Write a setting of every kind of fault. False if no kind has it. */
bool set_all(const char *name, const char *value);

/* Let this thread's @nr-th allocation or copy from now on fail; 0: none. */
void set_fault(unsigned int nr);

/* Make the call with fault @nr, and set *@result. True if there was the fault. */
bool call_with_fault(unsigned int nr, int (*make_call)(void *argument),
		     void *argument, int *result);

/* Whether a call may return @result on account of a fault. */
bool may_result_from_fault(int result);

/*
 * Wait till no page is pinned, and the module has as many @references. False if
 * that takes too long.
 */
bool wait_for_nothing_left(long references);

#endif /* PROFIL_TEST_FAULT_INJECTION_H */
