/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: the session of each address space, at most one for an mm. Readers use RCU.
 * Changes take a raw lock, since fork's hook makes them too.
 */
#ifndef PROFIL_REGISTRY_H
#define PROFIL_REGISTRY_H

#include <linux/compiler.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>

#include "pointer_table.h"
#include "session.h"

extern struct pointer_table profil_registry;
extern raw_spinlock_t profil_registry_lock; /* guards it */

/* No mm_struct is shorter: the kernel allocates them beside each other. */
#define MM_STRIDE 1024

/* Sessions that the timer serves */
static __always_inline u64 *registry_timed(const struct mm_struct *mm)
{
	return timed_count(&profil_registry, mm, MM_STRIDE);
}

/*
 * For a table with timers that is no tree: have all switches looked at, or no more.
 * Process context.
 */
void profil_registry_time_all(bool more);

static __always_inline struct hlist_head *
registry_bucket(const struct mm_struct *mm)
{
	return pointer_table_bucket(&profil_registry, mm, MM_STRIDE);
}

/* Any context, in an RCU section, which alone keeps the session */
static inline struct session *registry_find(const struct mm_struct *mm)
{
	struct session *session;

	hlist_for_each_entry_rcu(session, registry_bucket(mm), node,
				 lockdep_is_held(&profil_registry_lock))
		if (session->mm == mm)
			return session;
	return NULL;
}

/* The same, with a reference. Process context. */
struct session *profil_registry_get(const struct mm_struct *mm);

/*
 * Put @session in the registry: samples find it from here on. Any context. Returns the
 * session of the same mm that it replaces, with a reference, or NULL.
 */
struct session *profil_registry_replace(struct session *session);

/* Remove @session, unless it has been replaced or was never published. */
void profil_registry_remove(struct session *session);

/*
 * List the sessions, which keep the module from being unloaded, in debugfs, on which
 * nothing else depends: errors are ignored. Remove the list, and wait for its readers.
 */
void profil_registry_show(void);
void profil_registry_hide(void);

#endif /* PROFIL_REGISTRY_H */
