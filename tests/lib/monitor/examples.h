/* SPDX-License-Identifier: GPL-2.0-only */
/* Declarations that the examples of AIX's monitor manual leave out */
#ifndef TESTS_EXAMPLES_H
#define TESTS_EXAMPLES_H

#include <stdbool.h>

#include <mon.h>

/* End of the program's text */
extern char etext[];

/* The program's first function, and the function that spends its time */
int start(void);
int work(int from);

/* "other code for analysis": whether a counter has a sample */
__attribute__((no_instrument_function)) static inline bool
is_sampled(const volatile HISTCOUNTER counters[], int nr)
{
	while (nr--)
		if (counters[nr])
			return true;
	return false;
}

#endif /* TESTS_EXAMPLES_H */
