/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints, found by name: some that the module needs are not exported. */
#ifndef PROFIL_TRACEPOINT_H
#define PROFIL_TRACEPOINT_H

struct tracepoint;

/* NULL if the kernel has no tracepoint of that name. Sleeps. */
struct tracepoint *profil_tracepoint_find(const char *name);

/*
 * Attach @probe; 0 or an errno. The type of a tracepoint found by name is
 * unknown here, so the caller makes the compiler check that of @probe, by
 * check_trace_callback_type_NAME(). Sleeps.
 */
int profil_tracepoint_attach(struct tracepoint *tracepoint, void *probe);

/*
 * Detach @probe. There are no new calls on return;
 * tracepoint_synchronize_unregister() waits for those under way. Sleeps.
 */
void profil_tracepoint_detach(struct tracepoint *tracepoint, void *probe);

#endif /* PROFIL_TRACEPOINT_H */
