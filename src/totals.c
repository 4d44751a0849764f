// SPDX-License-Identifier: GPL-2.0-only
#include <linux/highmem.h>
#include <linux/mm.h>
#include <linux/profil.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>

#include "totals.h"
#include "memlock.h"
#include "pins.h"
#include "tally.h"

/**
 * struct totals_page - a pinned struct profil_totals
 * @page: the page that contains it; one is enough, as it is aligned to its size
 * @offset: bytes from the start of the page
 * @mm: address space whose VmPin includes the page
 * @memlock: the user who is charged
 * @charge: pages charged: all of the folio
 */
struct totals_page {
	struct page *page;
	unsigned int offset;
	struct mm_struct *mm;
	const struct memlock *memlock;
	unsigned long charge;
};

static_assert(sizeof(struct profil_totals) == 128);

/*
 * The program may change its mappings between this check and the pin. The
 * totals are then in private memory of the program, which no other process
 * reads.
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

static int pin_page(struct totals_page *totals, unsigned long addr)
{
	int err = check_shared(addr);

	if (err)
		return err;
	err = profil_pins_get(current->mm, addr & PAGE_MASK, 1, &totals->page);
	if (err)
		return err;
	totals->charge = folio_nr_pages(page_folio(totals->page));
	if (profil_memlock_charge(totals->memlock, current->mm, totals->charge))
		return 0;
	unpin_user_page(totals->page);
	return -ENOMEM;
}

struct totals_page *profil_totals_open(u64 addr, const struct memlock *memlock)
{
	struct totals_page *totals =
		kzalloc(sizeof(*totals), GFP_KERNEL_ACCOUNT);
	int err;

	if (!totals)
		return ERR_PTR(-ENOMEM);
	totals->memlock = memlock;
	err = pin_page(totals, addr);
	if (err) {
		kfree(totals);
		return ERR_PTR(err);
	}
	totals->offset = offset_in_page(addr);
	totals->mm = current->mm;
	mmgrab(totals->mm);
	return totals;
}

void profil_totals_close(struct totals_page *totals)
{
	profil_pins_put(&totals->page, 1);
	profil_memlock_uncharge(totals->memlock, totals->mm, totals->charge);
	mmdrop(totals->mm);
	kfree(totals);
}

/* Other sessions may add at the same time. The program reads a __u64. */
static void add(u64 *field, s64 value)
{
	atomic64_add(value, (atomic64_t *)field);
}

void profil_totals_begin(struct totals_page *totals)
{
	void *page = kmap_local_page(totals->page);
	struct profil_totals *user = page + totals->offset;

	add(&user->sessions, 1);
	kunmap_local(page);
}

void profil_totals_end(struct totals_page *totals, const struct tally *tally)
{
	void *page = kmap_local_page(totals->page);
	struct profil_totals *user = page + totals->offset;
	s64 hits = atomic64_read(&tally->hits);
	s64 outside = atomic64_read(&tally->outside);
	s64 lost = atomic64_read(&tally->lost);

	add(&user->samples, hits + outside + lost);
	add(&user->hits, hits);
	add(&user->outside, outside);
	add(&user->lost, lost);
	add(&user->saturated, atomic64_read(&tally->saturated));
	add(&user->kernel_samples, atomic64_read(&tally->kernel_samples));
	add(&user->unprofiled_children,
	    atomic64_read(&tally->unprofiled_children));
	/* A reader that sees the session in @ended sees its tally, too. */
	smp_mb__before_atomic();
	add(&user->ended, 1);
	kunmap_local(page);
}
