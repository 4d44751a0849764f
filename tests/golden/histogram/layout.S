/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions at known offsets in .text:
 *
 *	0x00 to 0x10	first, and its local alias
 *	0x10 to 0x16	second, and a gap to 0x20
 *	0x20 to 0x40	third
 *	0x40 to 0x50	last, which has no size
 */
	.text
	.globl	first, second, third, last

	.type	first, @function
	.size	first, 0x10
	.type	alias, @function
	.size	alias, 0x10
alias:
first:	.skip	0x10

	.type	second, @function
	.size	second, 6
second:	.skip	0x10

	.type	third, @function
	.size	third, 0x20
third:	.skip	0x20

	.type	last, @function
last:	.skip	0x10

	.section .note.GNU-stack, "", @progbits
