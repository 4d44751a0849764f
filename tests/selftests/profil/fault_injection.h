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

/* Make that many of a hundred allocations and copies of all tasks fail. */
void fail_in_percent(const char *percent);

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

/*
 * A worker of the kernel has no number. A fault of it has in place of a number the
 * amount that has been allocated before.
 *
 * allow_amount(): all tasks together may allocate less than @amount in the code that
 * faults are restricted to. The first allocation that reaches @amount fails, and no
 * other. The amount is in bytes of slab objects, in pages, or in copies. False if the
 * kernel cannot do so.
 *
 * fail_after_amount(): each further allocation that reaches @amount fails, too.
 *
 * amount_was_used(): end that. True if the fault occurred; *@left is what was left
 * of the amount before the failed allocation, or at the end.
 */
enum fault_kind { FAULT_OBJECT, FAULT_PAGES, FAULT_COPY, FAULT_KINDS };

bool allow_amount(enum fault_kind kind, unsigned long amount);
bool fail_after_amount(enum fault_kind kind, unsigned long amount);
bool amount_was_used(enum fault_kind kind, unsigned long *left);

/* True if a call may return @result after a fault, or after none. */
bool may_result_from_fault(int result);

#endif /* PROFIL_TEST_FAULT_INJECTION_H */
