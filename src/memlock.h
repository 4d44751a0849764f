/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Memlock: the charge of pinned pages against RLIMIT_MEMLOCK of a user,
 * together with the user's other processes, and with pages pinned by io_uring
 * and others.
 */
#ifndef PROFIL_MEMLOCK_H
#define PROFIL_MEMLOCK_H

#include <linux/types.h>

struct cred;
struct mm_struct;

/**
 * struct memlock - the user who is charged, and the limit
 * @cred: credentials of START's caller, with a reference, for the user; NULL if
 *	CAP_IPC_LOCK exempts the caller
 * @limit: RLIMIT_MEMLOCK of START's caller, in pages
 */
struct memlock {
	const struct cred *cred;
	unsigned long limit;
};

/* Take user and limit from current, START's caller. */
void profil_memlock_init(struct memlock *memlock);
void profil_memlock_release(struct memlock *memlock);

/*
 * Charge @nr pages, and add them to VmPin of @mm; false if the user would
 * exceed the limit. Process context, as uncharging.
 */
bool profil_memlock_charge(const struct memlock *memlock, struct mm_struct *mm,
			   unsigned long nr);
void profil_memlock_uncharge(const struct memlock *memlock,
			     struct mm_struct *mm, unsigned long nr);

#endif /* PROFIL_MEMLOCK_H */
