// SPDX-License-Identifier: GPL-2.0-only
#include "kernel_entry.h"

#ifndef __x86_64__
#error "do_call and do_store have no code for this architecture"
#endif

__asm__(".pushsection .text\n"
	".balign 64\n"
	".globl do_call\n"
	"do_call:\n"
	"mov %rdi, %rax\n"
	"mov %rsi, %rdi\n"
	"mov %rdx, %rsi\n"
	"mov %rcx, %rdx\n"
	"syscall\n"
	".globl after_call\n"
	"after_call:\n"
	"ret\n"
	".balign 32\n"
	".globl do_store\n"
	"do_store:\n"
	"mov %esi, %eax\n"
	"mov %rdx, %rcx\n"
	".globl the_store\n"
	"the_store:\n"
	"rep stosb\n"
	"ret\n"
	".balign 64\n"
	".popsection\n");
