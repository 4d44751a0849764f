/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of the C library that gcc -pg programs call, and their own */
#ifndef TESTS_GPROF_WORKLOAD_H
#define TESTS_GPROF_WORKLOAD_H

#include <stddef.h>

int profil(unsigned short *buf, size_t size, size_t offset, unsigned int scale);
void _mcleanup(void);
int moncontrol(int mode);
void monstartup(unsigned long low, unsigned long high);

int second(long calls);
void work_of_library(unsigned long rounds);

extern char etext[];

#endif /* TESTS_GPROF_WORKLOAD_H */
