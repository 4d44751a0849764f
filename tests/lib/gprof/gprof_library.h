/* SPDX-License-Identifier: GPL-2.0-only */
/* What libgprof_library.so has for gprof_library-linked */
#ifndef TESTS_GPROF_LIBRARY_H
#define TESTS_GPROF_LIBRARY_H

typedef void (*work_fn)(unsigned long count);

void work_of_library(unsigned long count);

#endif /* TESTS_GPROF_LIBRARY_H */
