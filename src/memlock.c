// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>

#include "memlock.h"

/*
 * The capability is checked without an audit record, as lacking it is no
 * failure. The credentials hold the user: older kernels do not export
 * free_uid().
 */
void profil_memlock_init(struct memlock *memlock)
{
	memlock->limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	if (!ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK))
		memlock->cred = get_current_cred();
}

void profil_memlock_release(struct memlock *memlock)
{
	put_cred(memlock->cred); /* may be NULL */
}

/* Never add a charge only to subtract it again: others might be refused. */
static bool charge_user(struct user_struct *user, unsigned long nr,
			unsigned long limit)
{
	long old = atomic_long_read(&user->locked_vm);

	do {
		if (nr && old + nr > limit)
			return false;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &old, old + nr));
	return true;
}

bool profil_memlock_charge(const struct memlock *memlock, struct mm_struct *mm,
			   unsigned long nr)
{
	if (memlock->cred &&
	    !charge_user(memlock->cred->user, nr, memlock->limit))
		return false;
	atomic64_add(nr, &mm->pinned_vm);
	return true;
}

void profil_memlock_uncharge(const struct memlock *memlock,
			     struct mm_struct *mm, unsigned long nr)
{
	atomic64_sub(nr, &mm->pinned_vm);
	if (memlock->cred)
		atomic_long_sub(nr, &memlock->cred->user->locked_vm);
}
