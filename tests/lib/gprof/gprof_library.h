/* SPDX-License-Identifier: GPL-2.0-only */
/* Function of libgprof_library.so */
#ifndef TESTS_GPROF_LIBRARY_H
#define TESTS_GPROF_LIBRARY_H

#include "work.h"

void work_of_library(unsigned long rounds);

#endif /* TESTS_GPROF_LIBRARY_H */
