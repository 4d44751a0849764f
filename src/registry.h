/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: which session an address space has. It holds one session for
 * an mm at most. Looked up under RCU, changed under a raw lock, since fork's
 * probe changes it too.
 */
#ifndef PROFIL_REGISTRY_H
#define PROFIL_REGISTRY_H

#include <linux/compiler.h>
#include <linux/types.h>

struct mm_struct;
struct session;

/* How many sessions there are; a hint for the clocks. */
extern unsigned int registry_count;

static inline bool registry_empty(void)
{
	return !READ_ONCE(registry_count);
}

/* Any context, in an RCU section, which is all that keeps the session. */
struct session *registry_find(const struct mm_struct *mm);

/* The same with a reference, for process context. */
struct session *registry_get(const struct mm_struct *mm);

/*
 * Put @session in for its mm. Returns the session that it replaced, with a
 * reference for the caller, or NULL.
 */
struct session *registry_replace(struct session *session);

/* Take it out, unless it was never in or has been replaced. */
void registry_remove(struct session *session);

#endif /* PROFIL_REGISTRY_H */
