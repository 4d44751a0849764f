// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>

#include "books.h"
#include "memlock.h"

/*
 * No audit record: lacking the capability is no failure. The credentials hold the user:
 * older kernels do not export free_uid().
 */
void profil_memlock_init(struct memlock *memlock)
{
	memlock->limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	if (!ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK))
		memlock->cred = book_get_cred(current_cred());
}

void profil_memlock_release(struct memlock *memlock)
{
	book_put_cred(memlock->cred); /* may be NULL */
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

/* The number of pinned pages of @folio */
static unsigned long pages_in(struct xarray *large, struct folio *folio)
{
	void *entry = xa_load(large, folio_pfn(folio));

	return entry ? xa_to_value(entry) : 0;
}

/* Add a page, and to @charge the pages of its folio, if that had none before. */
static int add_page(struct xarray *large, struct page *page,
		    unsigned long *charge)
{
	struct folio *folio = page_folio(page);
	unsigned long before = 0;
	int err = 0;

	if (folio_test_large(folio)) {
		before = pages_in(large, folio);
		err = xa_err(xa_store(large, folio_pfn(folio),
				      xa_mk_value(before + 1), GFP_KERNEL));
	}
	if (!err && !before)
		*charge += folio_nr_pages(folio);
	return err;
}

unsigned long profil_memlock_remove(struct xarray *large, struct page **pages,
				    unsigned int nr)
{
	unsigned long charge = 0;

	while (nr--) {
		struct folio *folio = page_folio(pages[nr]);
		unsigned long before = 1;

		if (folio_test_large(folio))
			before = pages_in(large, folio);
		/* A store that replaces an entry allocates nothing. */
		if (before > 1)
			xa_store(large, folio_pfn(folio),
				 xa_mk_value(before - 1), 0);
		else if (folio_test_large(folio))
			xa_erase(large, folio_pfn(folio));
		if (before == 1)
			charge += folio_nr_pages(folio);
	}
	return charge;
}

int profil_memlock_charge(const struct memlock *memlock, struct xarray *large,
			  struct mm_struct *mm, struct page **pages,
			  unsigned int nr)
{
	unsigned long charge = 0;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = add_page(large, pages[i], &charge);
	if (err) {
		profil_memlock_remove(large, pages, i - 1);
		return err;
	}
	if (memlock->cred &&
	    !charge_user(memlock->cred->user, charge, memlock->limit)) {
		profil_memlock_remove(large, pages, nr);
		return -ENOMEM;
	}
	atomic64_add(charge, &mm->pinned_vm);
	book_add(BOOK_LOCKED, charge);
	return 0;
}

void profil_memlock_uncharge(const struct memlock *memlock,
			     struct mm_struct *mm, unsigned long nr)
{
	atomic64_sub(nr, &mm->pinned_vm);
	book_add(BOOK_LOCKED, -(long)nr);
	if (memlock->cred)
		atomic_long_sub(nr, &memlock->cred->user->locked_vm);
}
