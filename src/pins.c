// SPDX-License-Identifier: GPL-2.0-only
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/hugetlb_inline.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/user_namespace.h>
#include <linux/userfaultfd_k.h>

#include "books.h"
#include "compat.h"
#include "pins.h"

/*
 * No audit record: lacking the capability is no failure. The credentials hold the user:
 * older kernels do not export free_uid().
 */
void profil_pins_init(struct pins *pins)
{
	pins->limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	if (!ns_capable_noaudit(&init_user_ns, CAP_IPC_LOCK))
		pins->cred = book_get_cred(current_cred());
}

void profil_pins_release(struct pins *pins)
{
	book_put_cred(pins->cred); /* may be NULL */
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

/* The pages, still pinned, leave @large. Returns how many pages their folios uncharge. */
static unsigned long remove_pages(struct xarray *large, struct page **pages,
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

/* ENOMEM, also if the user would exceed the limit: then nothing is charged. */
static int charge_pages(const struct pins *pins, struct xarray *large,
			struct mm_struct *mm, struct page **pages,
			unsigned int nr)
{
	unsigned long charge = 0;
	unsigned int i;
	int err = 0;

	for (i = 0; i < nr && !err; i++)
		err = add_page(large, pages[i], &charge);
	if (err) {
		remove_pages(large, pages, i - 1);
		return err;
	}
	if (pins->cred && !charge_user(pins->cred->user, charge, pins->limit)) {
		remove_pages(large, pages, nr);
		return -ENOMEM;
	}
	atomic64_add(charge, &mm->pinned_vm);
	book_add(BOOK_LOCKED, charge);
	return 0;
}

/*
 * A file system relies on being asked before a page that it has written back is written
 * again, which a pin does not do. Kernels from 6.5 on refuse such pins. Files of shmem
 * (tmpfs, memfd, shared memory) and of hugetlbfs are never written back; a private mapping
 * has copies of its own.
 */
static bool is_pinnable(struct vm_area_struct *vma)
{
	const struct inode *inode;

	if (!vma->vm_file || !(vma->vm_flags & VM_SHARED) ||
	    is_vm_hugetlb_page(vma))
		return true;
	inode = vma->vm_file->f_mapping->host;
	return inode && inode->i_sb->s_magic == TMPFS_MAGIC;
}

/* profil_pins_reach(), or how far @pinnable mappings extend. */
static unsigned long pins_extent(struct mm_struct *mm, unsigned long addr,
				 unsigned long end, bool pinnable)
{
	mmap_assert_locked(mm);
	while (addr < end) {
		struct vm_area_struct *vma = find_vma(mm, addr);

		if (!vma || vma->vm_start > addr ||
		    (pinnable && !is_pinnable(vma)))
			break;
		addr = vma->vm_end;
	}
	return addr;
}

unsigned long profil_pins_reach(struct mm_struct *mm, unsigned long addr,
				unsigned long end)
{
	if (fatal_signal_pending(current) || mmap_read_lock_killable(mm))
		return -EINTR;
	addr = pins_extent(mm, addr, end, false);
	mmap_read_unlock(mm);
	return addr;
}

/*
 * Have the pages up to @end in memory, killable. EAGAIN if mmap_lock was released while one
 * was read. Current may be the thread that serves userfaultfd: such pages are left to the
 * pin, which fails. What START pins at once has mostly been touched, unless in a file.
 */
static int fault_in(struct mm_struct *mm, unsigned long addr, unsigned long end)
{
	bool single = end - addr == PAGE_SIZE, released = false;
	unsigned int flags = FAULT_FLAG_WRITE | FAULT_FLAG_REMOTE;
	unsigned long next;
	int err = 0;

	for (; addr < end && !err && !released; addr = next) {
		struct vm_area_struct *vma = find_vma(mm, addr);

		next = vma->vm_end;
		if ((single || vma->vm_file) && !userfaultfd_armed(vma)) {
			next = addr + PAGE_SIZE;
			err = fixup_user_fault(mm, addr, flags, &released);
		}
	}
	return err ?: released ? -EAGAIN : 0;
}

/*
 * Without a "locked" argument a fault that would drop mmap_lock fails instead, so the
 * mappings that are pinned are those that have been checked.
 */
static long pin_mapped(struct mm_struct *mm, unsigned long addr,
		       unsigned int nr, struct page **pages)
{
	unsigned long end = addr + nr * PAGE_SIZE;
	int err;

	if (pins_extent(mm, addr, end, true) < end)
		return -EFAULT;
	err = fault_in(mm, addr, end);
	if (err)
		return err;
	return pin_user_pages_remote(mm, addr, nr, FOLL_WRITE | FOLL_LONGTERM,
				     pages, NULL);
}

static int pin_pages(struct mm_struct *mm, unsigned long addr, unsigned int nr,
		     struct page **pages)
{
	long got;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	got = pin_mapped(mm, addr, nr, pages);
	mmap_read_unlock(mm);
	if (got == nr)
		return 0;
	if (got > 0)
		unpin_user_pages(pages, got);
	if (got == -ENOMEM || got == -EINTR || got == -EAGAIN)
		return got;
	return -EFAULT;
}

int profil_pins_add(const struct pins *pins, struct xarray *large,
		    struct mm_struct *mm, unsigned long addr, unsigned int nr,
		    struct page **pages)
{
	int err = pin_pages(mm, addr, nr, pages);

	if (err)
		return err;
	err = charge_pages(pins, large, mm, pages, nr);
	if (err)
		unpin_user_pages(pages, nr);
	return err;
}

void profil_pins_remove(const struct pins *pins, struct xarray *large,
			struct mm_struct *mm, struct page **pages,
			unsigned int nr, bool dirty)
{
	unsigned long due = remove_pages(large, pages, nr);

	unpin_user_pages_dirty_lock(pages, nr, dirty);
	atomic64_sub(due, &mm->pinned_vm);
	book_add(BOOK_LOCKED, -(long)due);
	if (pins->cred)
		atomic_long_sub(due, &pins->cred->user->locked_vm);
}
