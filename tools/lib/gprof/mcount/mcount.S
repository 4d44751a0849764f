/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mcount() and __fentry__(), which the compiler calls at the beginning of each
 * function: they call profil_arcs_count()
 *
 * On x86-64 a function calls mcount() when its frame is set up, and __fentry__()
 * before its first instruction. Both preserve every register that may hold an
 * argument, r10 with the chain of a nested function, and rax with the number of
 * vector arguments; profil_arcs_count() uses no vector register. The stack is
 * aligned again, since its alignment is unknown.
 *
 * On i386 the registers that may hold an argument are eax, ecx and edx, and
 * profil_arcs_count() takes its two arguments of 64 bits on the stack.
 *
 * On arm64 _mcount() is an ordinary call, with the return address of the function
 * as its argument. A signed address is stripped by xpaclri, which works on x30
 * and is a hint that older processors ignore.
 *
 * On arm a function pushes its return address before it calls
 * __gnu_mcount_nc(), which pops that address into lr. Bit 0 of an address says
 * that the code is Thumb's and is no part of it.
 */

	.macro entry name
	.globl \name
	.type \name, %function
	.p2align 4
\name:
	.cfi_startproc
	.endm

	.macro leave_entry name
	.cfi_endproc
	.size \name, . - \name
	.endm

	.text

#ifdef __x86_64__

	/* \from: location of the return address of the function */
	.macro count from
	pushq %rax
	.cfi_adjust_cfa_offset 8
	movq %rsp, %rax
	subq $80, %rsp
	andq $-16, %rsp
	movq %rax, 72(%rsp)
	.cfi_escape 0x0f, 0x06, 0x77, 0xc8, 0x00, 0x06, 0x23, 0x10
	movq %rdi, (%rsp)
	movq %rsi, 8(%rsp)
	movq %rdx, 16(%rsp)
	movq %rcx, 24(%rsp)
	movq %r8, 32(%rsp)
	movq %r9, 40(%rsp)
	movq %r10, 48(%rsp)
	movq %r11, 56(%rsp)
	movq 8(%rax), %rsi
	movq \from, %rdi
	call profil_arcs_count
	movq (%rsp), %rdi
	movq 8(%rsp), %rsi
	movq 16(%rsp), %rdx
	movq 24(%rsp), %rcx
	movq 32(%rsp), %r8
	movq 40(%rsp), %r9
	movq 48(%rsp), %r10
	movq 56(%rsp), %r11
	movq 72(%rsp), %rsp
	.cfi_def_cfa %rsp, 16
	popq %rax
	.cfi_adjust_cfa_offset -8
	ret
	.endm

	entry mcount
	count 8(%rbp)
	leave_entry mcount

	entry __fentry__
	count 16(%rax)
	leave_entry __fentry__

	.globl _mcount
	.set _mcount, mcount

#elif defined(__aarch64__)

	entry _mcount
	stp x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	mov x29, sp
	mov x1, x30
	mov x30, x0
	hint #7
	mov x0, x30
	bl profil_arcs_count
	ldp x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	ret
	leave_entry _mcount

	.globl mcount
	.set mcount, _mcount

#elif defined(__i386__)

	/* \from: location of the return address of the function */
	.macro count from
	pushl %ebp
	.cfi_adjust_cfa_offset 4
	.cfi_rel_offset %ebp, 0
	movl %esp, %ebp
	.cfi_def_cfa_register %ebp
	pushl %eax
	pushl %ecx
	pushl %edx
	subl $16, %esp
	andl $-16, %esp
	movl (%ebp), %eax
	movl \from, %eax
	movl %eax, (%esp)
	movl $0, 4(%esp)
	movl 4(%ebp), %eax
	movl %eax, 8(%esp)
	movl $0, 12(%esp)
	call profil_arcs_count
	movl -4(%ebp), %eax
	movl -8(%ebp), %ecx
	movl -12(%ebp), %edx
	leave
	.cfi_def_cfa %esp, 4
	.cfi_restore %ebp
	ret
	.endm

	entry mcount
	count 4(%eax)
	leave_entry mcount

	entry __fentry__
	count 8(%ebp)
	leave_entry __fentry__

	.globl _mcount
	.set _mcount, mcount

#elif defined(__arm__)

	.syntax unified
	.arm

	entry __gnu_mcount_nc
	push {r0-r3, ip, lr}
	.cfi_adjust_cfa_offset 24
	.cfi_rel_offset lr, 20
	sub sp, sp, #4
	.cfi_adjust_cfa_offset 4
	ldr r0, [sp, #28]
	bic r0, r0, #1
	mov r1, #0
	bic r2, lr, #1
	mov r3, #0
	bl profil_arcs_count
	add sp, sp, #4
	.cfi_adjust_cfa_offset -4
	ldr lr, [sp, #24]
	.cfi_restore lr
	ldr r0, [sp, #20]
	str r0, [sp, #24]
	pop {r0-r3, ip}
	.cfi_adjust_cfa_offset -20
	add sp, sp, #4
	.cfi_adjust_cfa_offset -4
	pop {pc}
	leave_entry __gnu_mcount_nc

#else
#error mcount() is written for x86 and arm only, of 32 and 64 bits
#endif

	/* This reference links autostart.c into a static program. */
	.section .profil.needed, "", %progbits
#if __SIZEOF_POINTER__ == 8
	.quad profil_autostart
#else
	.long profil_autostart
#endif

	.section .note.GNU-stack, "", %progbits
