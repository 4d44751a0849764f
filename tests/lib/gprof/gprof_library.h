/* SPDX-License-Identifier: GPL-2.0-only */
/* What libgprof_library.so has for gprof_library-linked */
#ifndef TESTS_GPROF_LIBRARY_H
#define TESTS_GPROF_LIBRARY_H

#include "work.h"

void work_of_library(unsigned long rounds);

#endif /* TESTS_GPROF_LIBRARY_H */
