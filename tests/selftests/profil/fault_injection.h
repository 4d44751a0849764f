/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's fault injection: the n-th allocation, or the n-th copy from or
 * to user memory, of a call fails. Needs root, and a kernel with fault
 * injection.
 */
#ifndef PROFIL_TEST_FAULT_INJECTION_H
#define PROFIL_TEST_FAULT_INJECTION_H

#include <stdbool.h>

#define MOST_FAULTS 500

/* Open this thread's fail-nth; false if the kernel has none. */
bool faults_open(void);

/* End all fault injection. */
void faults_close(void);

void allow_every_fault(void);

/*
 * Restrict faults to code called by the module, or by a function, or lift the
 * restriction. False if the kernel cannot restrict them.
 */
bool focus_on_module(void);
bool focus_on_function(const char *name);
void focus_on_nothing(void);

/* Write a setting of every kind of fault. False if no kind has the setting. */
bool set_all(const char *name, const char *value);

/*
 * Make this thread's @nr-th allocation or copy fail, from now on; 0 for none.
 */
void set_fault(unsigned int nr);

/*
 * Make the call with fault @nr, and store its result. True if the fault
 * occurred.
 */
bool call_with_fault(unsigned int nr, int (*make_call)(void *argument),
		     void *argument, int *result);

/* True if a call may return @result after a fault, or after none. */
bool may_result_from_fault(int result);

#endif /* PROFIL_TEST_FAULT_INJECTION_H */
