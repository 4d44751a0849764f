/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The payer of a session: the user whose RLIMIT_MEMLOCK its pinned pages count
 * against, together with those of the user's other processes, and with what
 * io_uring and others have pinned for the same user.
 */
#ifndef PROFIL_PAYER_H
#define PROFIL_PAYER_H

#include <linux/types.h>

struct cred;
struct mm_struct;

/**
 * struct payer - see above
 * @cred: the caller's credentials, by a reference, which say the user; NULL if
 *	CAP_IPC_LOCK exempts the caller
 * @limit: RLIMIT_MEMLOCK of the caller, in pages
 */
struct payer {
	const struct cred *cred;
	unsigned long limit;
};

/* The user of current, and its limit as it is now: START's caller. */
void profil_payer_begin(struct payer *payer);
void profil_payer_end(struct payer *payer);

/*
 * Charge @nr pages, and add them to what @mm shows as VmPin; false when the
 * user would have more than the limit. Process context, as the other.
 */
bool profil_payer_charge(const struct payer *payer, struct mm_struct *mm,
			 unsigned long nr);
void profil_payer_refund(const struct payer *payer, struct mm_struct *mm,
			 unsigned long nr);

#endif /* PROFIL_PAYER_H */
