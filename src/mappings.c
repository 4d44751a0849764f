// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include <linux/sched/signal.h>

#include "mappings.h"

unsigned long profil_mappings_reach(struct mm_struct *mm, unsigned long addr,
				    unsigned long end)
{
	struct vm_area_struct *vma;

	if (fatal_signal_pending(current) || mmap_read_lock_killable(mm))
		return -EINTR;
	while (addr < end) {
		vma = find_vma(mm, addr);
		if (!vma || vma->vm_start > addr)
			break;
		addr = vma->vm_end;
	}
	mmap_read_unlock(mm);
	return addr;
}

int profil_mappings_writable_end(struct mm_struct *mm, unsigned long addr,
				 unsigned long *end)
{
	struct vm_area_struct *vma;

	*end = 0;
	if (mmap_read_lock_killable(mm))
		return -EINTR;
	vma = find_vma(mm, addr);
	if (vma && vma->vm_start <= addr && vma->vm_flags & VM_WRITE)
		*end = vma->vm_end;
	mmap_read_unlock(mm);
	return *end ? 0 : -EFAULT;
}
