/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The registry: the session of each address space, at most one for an mm.
 * Readers use RCU. Changes take a raw lock, since fork's probe makes them too.
 */
#ifndef PROFIL_REGISTRY_H
#define PROFIL_REGISTRY_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>

#include "session.h"

#define REGISTRY_BITS 12
#define REGISTRY_BUCKETS BIT(REGISTRY_BITS)

extern struct hlist_head profil_registry_buckets[REGISTRY_BUCKETS];
extern raw_spinlock_t profil_registry_lock; /* guards buckets and count */

/* The number of sessions; a hint for the clocks. */
extern unsigned int profil_registry_count;

static inline bool registry_empty(void)
{
	return !READ_ONCE(profil_registry_count);
}

static inline struct hlist_head *registry_bucket(const struct mm_struct *mm)
{
	return &profil_registry_buckets[hash_ptr(mm, REGISTRY_BITS)];
}

/* False if @mm has no session, with few exceptions. Any context. */
static inline bool registry_may_have(const struct mm_struct *mm)
{
	return !hlist_empty(registry_bucket(mm));
}

/*
 * Any context, in an RCU section, which alone keeps the session; with
 * interrupts off the caller is in one.
 */
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
 * Put @session in the registry: samples find it from here on. Any context.
 * Returns the session of the same mm that it replaces, with a reference for the
 * caller, or NULL.
 */
struct session *profil_registry_publish(struct session *session);

/*
 * Call @visit for each session in @bucket, under profil_registry_lock. Each
 * session and the structure of its mm exist while @visit runs.
 */
void profil_registry_visit(unsigned int bucket,
			   void (*visit)(struct session *session,
					 const struct mm_struct *mm,
					 void *data),
			   void *data);

/* Remove @session, unless it has been replaced or was never published. */
void profil_registry_remove(struct session *session);

#endif /* PROFIL_REGISTRY_H */
