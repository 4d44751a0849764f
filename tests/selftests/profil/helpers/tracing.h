/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel's tracing sees of the module, in an instance of its own: other
 * programs may be tracing.
 */
#ifndef PROFIL_TEST_TRACING_H
#define PROFIL_TEST_TRACING_H

/*
 * Trace the works that the module queues, or the calls of a function, from now on.
 * 0 or a negative errno: ENOENT without tracefs or such a tracer.
 */
int trace_works(void);
int trace_calls(const char *function);

/* The number of works or calls since then, or -1. */
long traced(void);

void trace_end(void);

#endif /* PROFIL_TEST_TRACING_H */
