// SPDX-License-Identifier: GPL-2.0-only
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/profil.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "account.h"
#include "payer.h"
#include "pins.h"
#include "tally.h"

/**
 * struct account - a pinned struct profil_account
 * @page: the page it is in; it is aligned to its size, so it is in one
 * @offset: bytes from the start of the page
 * @mm: whose pinned memory the page is shown as
 * @payer: who is charged
 * @charge: for how many pages: those of the folio
 */
struct account {
	struct page *page;
	unsigned int offset;
	struct mm_struct *mm;
	const struct payer *payer;
	unsigned long charge;
};

static_assert(sizeof(struct profil_account) == 128);

/*
 * The program may change its mappings between this look and the pin. It then
 * has an account in memory of its own, which nobody else reads.
 */
static int check_shared(unsigned long addr)
{
	struct vm_area_struct *vma;
	int err = 0;

	if (mmap_read_lock_killable(current->mm))
		return -EINTR;
	vma = find_vma(current->mm, addr);
	if (!vma || vma->vm_start > addr)
		err = -EFAULT;
	else if (!(vma->vm_flags & VM_SHARED))
		err = -EINVAL;
	mmap_read_unlock(current->mm);
	return err;
}

static int pin(struct account *account, unsigned long addr)
{
	int err = check_shared(addr);

	if (err)
		return err;
	err = pins_get(current->mm, addr & PAGE_MASK, 1, &account->page);
	if (err)
		return err;
	account->charge = folio_nr_pages(page_folio(account->page));
	if (payer_charge(account->payer, current->mm, account->charge))
		return 0;
	unpin_user_page(account->page);
	return -ENOMEM;
}

struct account *account_open(u64 addr, const struct payer *payer)
{
	struct account *account = kzalloc(sizeof(*account), GFP_KERNEL_ACCOUNT);
	int err;

	if (!account)
		return ERR_PTR(-ENOMEM);
	account->payer = payer;
	err = pin(account, addr);
	if (err) {
		kfree(account);
		return ERR_PTR(err);
	}
	account->offset = offset_in_page(addr);
	account->mm = current->mm;
	mmgrab(account->mm);
	return account;
}

void account_close(struct account *account)
{
	pins_put(&account->page, 1);
	payer_refund(account->payer, account->mm, account->charge);
	mmdrop(account->mm);
	kfree(account);
}

/* The program's view is __u64; other sessions add to it at the same time. */
static void add(u64 *field, s64 value)
{
	atomic64_add(value, (atomic64_t *)field);
}

void account_begin(struct account *account)
{
	void *page = kmap_local_page(account->page);
	struct profil_account *user = page + account->offset;

	add(&user->sessions, 1);
	kunmap_local(page);
}

void account_end(struct account *account, const struct tally *tally)
{
	void *page = kmap_local_page(account->page);
	struct profil_account *user = page + account->offset;
	s64 hits = atomic64_read(&tally->hits);
	s64 outside = atomic64_read(&tally->outside);
	s64 lost = atomic64_read(&tally->lost);

	add(&user->samples, hits + outside + lost);
	add(&user->hits, hits);
	add(&user->outside, outside);
	add(&user->lost, lost);
	add(&user->saturated, atomic64_read(&tally->saturated));
	add(&user->kernel, atomic64_read(&tally->kernel));
	add(&user->missed, atomic64_read(&tally->missed));
	/* Whoever sees this session as ended sees what it came to. */
	smp_mb__before_atomic();
	add(&user->ended, 1);
	kunmap_local(page);
}
