// SPDX-License-Identifier: GPL-2.0-only
#include "common.h"

#if defined(__x86_64__)
#define CALL \
	"mov %rdi, %rax\nmov %rsi, %rdi\nmov %rdx, %rsi\nmov %rcx, %rdx\nsyscall\n"
#define BEFORE_STORE "mov %esi, %eax\nmov %rdx, %rcx\n"
#define STORE "rep stosb\n"
#elif defined(__aarch64__)
#define CALL "mov x8, x0\nmov x0, x1\nmov x1, x2\nmov x2, x3\nsvc #0\n"
#define BEFORE_STORE ""
#define STORE "strb w1, [x0], #1\nsubs x2, x2, #1\nb.ne the_store\n"
#else
#error "do_call and do_store have no code for this architecture"
#endif

__asm__(".pushsection .text\n"
	".balign 64\n"
	".globl do_call\n"
	"do_call:\n" CALL ".globl after_call\n"
	"after_call:\n"
	"ret\n"
	".balign 32\n"
	".globl do_store\n"
	"do_store:\n" BEFORE_STORE ".globl the_store\n"
	"the_store:\n" STORE "ret\n"
	".balign 64\n"
	".popsection\n");
