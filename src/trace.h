/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints by name: not every one that we need is exported. */
#ifndef PROFIL_TRACE_H
#define PROFIL_TRACE_H

struct tracepoint;

/* NULL if the kernel has none of that name. Sleeps. */
struct tracepoint *trace_find(const char *name);

#endif /* PROFIL_TRACE_H */
