/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints by name: not every one that we need is exported. */
#ifndef PROFIL_TRACEPOINT_H
#define PROFIL_TRACEPOINT_H

struct tracepoint;

/* NULL if the kernel has none of that name. Sleeps. */
struct tracepoint *profil_tracepoint_find(const char *name);

/*
 * Have a tracepoint call @probe: 0 or an errno. Its name does not say what it
 * calls with, so the caller has the compiler check that, by
 * check_trace_callback_type_NAME(). Sleeps.
 */
int profil_tracepoint_attach(struct tracepoint *tracepoint, void *probe);

/*
 * There are no new calls on return; tracepoint_synchronize_unregister() waits
 * for those under way. Sleeps.
 */
void profil_tracepoint_detach(struct tracepoint *tracepoint, void *probe);

#endif /* PROFIL_TRACEPOINT_H */
