# SPDX-License-Identifier: GPL-2.0-only
# The sum of squares, where square() of line 3 is inlined in line 11, and a
# function that begins with the same letters.
	.text
	.globl	sum, summary
	.type	sum, @function
sum:	xorl	%eax, %eax
	testl	%esi, %esi
	jle	2f
1:	movl	(%rdi), %edx
	imull	%edx, %edx
	addl	%edx, %eax
	addq	$4, %rdi
	decl	%esi
	jne	1b
2:	ret
	.size	sum, . - sum

	.type	summary, @function
summary: leal	1(%rdi), %eax
	ret
	.size	summary, . - summary
