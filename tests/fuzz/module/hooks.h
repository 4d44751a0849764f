/* SPDX-License-Identifier: GPL-2.0-only */
/* The functions that the compiler calls, by the names that it gives them */
#ifndef PROFIL_TRACE_HOOKS_H
#define PROFIL_TRACE_HOOKS_H

#include <linux/types.h>

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_cmp1(u8 a, u8 b);
void __sanitizer_cov_trace_cmp2(u16 a, u16 b);
void __sanitizer_cov_trace_cmp4(u32 a, u32 b);
void __sanitizer_cov_trace_cmp8(u64 a, u64 b);
void __sanitizer_cov_trace_const_cmp1(u8 a, u8 b);
void __sanitizer_cov_trace_const_cmp2(u16 a, u16 b);
void __sanitizer_cov_trace_const_cmp4(u32 a, u32 b);
void __sanitizer_cov_trace_const_cmp8(u64 a, u64 b);
void __sanitizer_cov_trace_switch(u64 value, u64 *cases);

#endif /* PROFIL_TRACE_HOOKS_H */
