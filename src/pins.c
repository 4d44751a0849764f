// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>

#include "compat.h"
#include "pins.h"

bool pins_charge(struct mm_struct *mm, unsigned int nr,
		 unsigned long max_pinned)
{
	if (atomic64_add_return(nr, &mm->pinned_vm) <= max_pinned)
		return true;
	atomic64_sub(nr, &mm->pinned_vm);
	return false;
}

void pins_uncharge(struct mm_struct *mm, unsigned int nr)
{
	atomic64_sub(nr, &mm->pinned_vm);
}

/*
 * Without a "locked" argument a fault that would drop mmap_lock, such as one
 * on memory under userfaultfd, fails instead.
 */
int pins_get(struct mm_struct *mm, unsigned long addr, unsigned int nr,
	     struct page **pages)
{
	long got;

	if (mmap_read_lock_killable(mm))
		return -EINTR;
	got = pin_user_pages_remote(mm, addr, nr, FOLL_WRITE | FOLL_LONGTERM,
				    pages, NULL);
	mmap_read_unlock(mm);
	if (got == nr)
		return 0;
	if (got > 0)
		unpin_user_pages(pages, got);
	return got == -ENOMEM || got == -EINTR ? got : -EFAULT;
}

void pins_put(struct page **pages, unsigned int nr)
{
	unpin_user_pages_dirty_lock(pages, nr, true);
}
