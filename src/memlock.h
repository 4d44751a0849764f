/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The memlock of a session: the user whose RLIMIT_MEMLOCK its pinned pages count
 * against, together with those of the user's other processes, and with what
 * io_uring and others have pinned for the same user.
 */
#ifndef PROFIL_MEMLOCK_H
#define PROFIL_MEMLOCK_H

#include <linux/types.h>

struct cred;
struct mm_struct;

/**
 * struct memlock - see above
 * @cred: the caller's credentials, by a reference, which say the user; NULL if
 *	CAP_IPC_LOCK exempts the caller
 * @limit: RLIMIT_MEMLOCK of the caller, in pages
 */
struct memlock {
	const struct cred *cred;
	unsigned long limit;
};

/* The user of current, and its limit as it is now: START's caller. */
void profil_memlock_init(struct memlock *memlock);
void profil_memlock_release(struct memlock *memlock);

/*
 * Charge @nr pages, and add them to what @mm shows as VmPin; false when the
 * user would have more than the limit. Process context, as the other.
 */
bool profil_memlock_charge(const struct memlock *memlock, struct mm_struct *mm,
			   unsigned long nr);
void profil_memlock_uncharge(const struct memlock *memlock,
			     struct mm_struct *mm, unsigned long nr);

#endif /* PROFIL_MEMLOCK_H */
