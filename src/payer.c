// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>

#include "payer.h"

/*
 * Not to have the capability is nothing for the audit log. The credentials hold
 * the user: older kernels do not export free_uid() to modules.
 */
void profil_payer_begin(struct payer *payer)
{
	payer->limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	if (!ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK))
		payer->cred = get_current_cred();
}

void profil_payer_end(struct payer *payer)
{
	if (payer->cred)
		put_cred(payer->cred);
}

/* What is refused is not added for a moment, which could refuse others. */
static bool charge_user(struct user_struct *user, unsigned long nr,
			unsigned long limit)
{
	long old = atomic_long_read(&user->locked_vm);

	do {
		if (old + nr > limit)
			return false;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &old, old + nr));
	return true;
}

bool profil_payer_charge(const struct payer *payer, struct mm_struct *mm,
			 unsigned long nr)
{
	if (payer->cred && !charge_user(payer->cred->user, nr, payer->limit))
		return false;
	atomic64_add(nr, &mm->pinned_vm);
	return true;
}

void profil_payer_refund(const struct payer *payer, struct mm_struct *mm,
			 unsigned long nr)
{
	atomic64_sub(nr, &mm->pinned_vm);
	if (payer->cred)
		atomic_long_sub(nr, &payer->cred->user->locked_vm);
}
