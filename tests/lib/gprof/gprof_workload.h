/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions of the C library that gprof_workload.c calls, and its own profiled
 * ones
 */
#ifndef TESTS_GPROF_WORKLOAD_H
#define TESTS_GPROF_WORKLOAD_H

#include <stddef.h>

#define NOINLINE __attribute__((noinline))
#define QUIET __attribute__((no_instrument_function))

int profil(unsigned short *buf, size_t size, size_t offset, unsigned int scale);
void _mcleanup(void);
int moncontrol(int mode);
void monstartup(unsigned long low, unsigned long high);

NOINLINE void leaf(void);
NOINLINE void middle(void);
NOINLINE void once(int verbs);
NOINLINE void *worker(void *calls);
NOINLINE int compare(const void *one, const void *other);
NOINLINE int first(long calls);
NOINLINE int second(long calls);
NOINLINE double mix(int a, double b, long c, float d, void *e, double f, int g,
		    double h, long i, double j, int k, double l, double m,
		    double n, int o);
NOINLINE int sum(int count, ...);
NOINLINE long chain(void);
NOINLINE void handler(int signal);

extern char etext[];

#endif /* TESTS_GPROF_WORKLOAD_H */
