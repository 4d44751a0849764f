/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Symbols: names of PCs in the kernel. The offset in the key of such a PC is that
 * from a function of the kernel, so it does not tell where the kernel is.
 */
#ifndef PROFIL_SYMBOL_H
#define PROFIL_SYMBOL_H

#include <linux/profil.h>
#include <linux/sched.h>
#include <linux/types.h>

/* What offsets are relative to: any function that is not in a module */
#define SYMBOL_BASE ((unsigned long)schedule)

/*
 * The key of a PC in the kernel. All PCs whose offset does not fit are one; no
 * kernel is as large, and on some processors BPF programs are that far away.
 */
static __always_inline u64 symbol_key(unsigned long pc)
{
	s64 offset = pc - SYMBOL_BASE;

	if (unlikely(offset != (s32)offset))
		offset = S32_MIN;
	return PROFIL_KEY_KERNEL | (u64)PROFIL_TEXT_KERNEL << 32 | (u32)offset;
}

/* Fill in @start and @name. Sleeps. */
void profil_symbol_find(struct profil_symbol *symbol);

#endif /* PROFIL_SYMBOL_H */
