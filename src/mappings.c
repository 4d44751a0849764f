// SPDX-License-Identifier: GPL-2.0-only
#include <linux/fs.h>
#include <linux/hugetlb_inline.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/userfaultfd_k.h>

#include "compat.h"
#include "mappings.h"

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

/* profil_mappings_reach(), or how far @pinnable mappings extend. Under mmap_lock. */
static unsigned long extent(struct mm_struct *mm, unsigned long addr,
			    unsigned long end, bool pinnable)
{
	while (addr < end) {
		struct vm_area_struct *vma = find_vma(mm, addr);

		if (!vma || vma->vm_start > addr ||
		    (pinnable && !is_pinnable(vma)))
			break;
		addr = vma->vm_end;
	}
	return addr;
}

unsigned long profil_mappings_reach(struct mm_struct *mm, unsigned long addr,
				    unsigned long end)
{
	if (fatal_signal_pending(current) || mmap_read_lock_killable(mm))
		return -EINTR;
	addr = extent(mm, addr, end, false);
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

	if (extent(mm, addr, end, true) < end)
		return -EFAULT;
	err = fault_in(mm, addr, end);
	if (err)
		return err;
	return pin_user_pages_remote(mm, addr, nr, FOLL_WRITE | FOLL_LONGTERM,
				     pages, NULL);
}

int profil_mappings_pin(struct mm_struct *mm, unsigned long addr,
			unsigned int nr, struct page **pages)
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
