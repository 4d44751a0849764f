/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of the programs that have written the files here, from the address
 * LEAF on, in text that begins at TEXT. None is run.
 */
	.macro	function name, bytes
	.type	\name, @function
\name:
	.rept	\bytes
	nop
	.endr
	.size	\name, \bytes
	.endm

	.text
	.globl	_start, main
_start:
	.skip	LEAF - TEXT, 0x90
	function leaf, 0x29
	function middle, 0x25
	function once, 0x2c
	function main, 0x16
	.section .note.GNU-stack, "", @progbits
