/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions that the compiler calls, by the names and with the types that it
 * gives them: its 64-bit type is unsigned long, which is not the kernel's u64.
 */
#ifndef PROFIL_TRACE_HOOKS_H
#define PROFIL_TRACE_HOOKS_H

#include <linux/types.h>

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_cmp1(u8 a, u8 b);
void __sanitizer_cov_trace_cmp2(u16 a, u16 b);
void __sanitizer_cov_trace_cmp4(u32 a, u32 b);
void __sanitizer_cov_trace_cmp8(unsigned long a, unsigned long b);
void __sanitizer_cov_trace_const_cmp1(u8 a, u8 b);
void __sanitizer_cov_trace_const_cmp2(u16 a, u16 b);
void __sanitizer_cov_trace_const_cmp4(u32 a, u32 b);
void __sanitizer_cov_trace_const_cmp8(unsigned long a, unsigned long b);
void __sanitizer_cov_trace_switch(unsigned long value, void *cases);

#endif /* PROFIL_TRACE_HOOKS_H */
