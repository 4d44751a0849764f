// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fs.h>
#include <linux/hugetlb_inline.h>
#include <linux/magic.h>
#include <linux/mm.h>

#include "compat.h"
#include "pins.h"

/*
 * A file system cleans a page by writing it back, and relies on being asked
 * before the page is written again. A write by a pin does not ask. Kernels from
 * 6.5 on refuse such pins. Files of shmem (tmpfs, memfd, System V shared
 * memory, shared anonymous memory) and of hugetlbfs are never written back; a
 * private mapping has copies of its own.
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

/* Is all from @start to @end mapped and pinnable? Under mmap_lock. */
static bool are_pinnable(struct mm_struct *mm, unsigned long start,
			 unsigned long end)
{
	while (start < end) {
		struct vm_area_struct *vma = find_vma(mm, start);

		if (!vma || vma->vm_start > start || !is_pinnable(vma))
			return false;
		start = vma->vm_end;
	}
	return true;
}

/*
 * Without a "locked" argument a fault that would drop mmap_lock, such as one
 * under userfaultfd, fails instead. So the mappings that are pinned are those
 * that have been checked.
 */
static long pin_mapped(struct mm_struct *mm, unsigned long addr,
		       unsigned int nr, struct page **pages)
{
	if (!are_pinnable(mm, addr, addr + nr * PAGE_SIZE))
		return -EFAULT;
	return pin_user_pages_remote(mm, addr, nr, FOLL_WRITE | FOLL_LONGTERM,
				     pages, NULL);
}

int profil_pins_get(struct mm_struct *mm, unsigned long addr, unsigned int nr,
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
	return got == -ENOMEM || got == -EINTR ? got : -EFAULT;
}

void profil_pins_put(struct page **pages, unsigned int nr)
{
	unpin_user_pages_dirty_lock(pages, nr, true);
}
