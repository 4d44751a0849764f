/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions with rules for their callers that compilers seldom make, to be read, not run */

/* Begin the function NAME, whose first instruction has the rules behind it. */
.macro function name, signal=0
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
	.if \signal
	.cfi_signal_frame
	.endif
.endm

/* Two bytes of code, which are no padding */
.macro end_function
	push %rax
	pop %rax
	.cfi_endproc
.endm

	.text
function plain
end_function

function bp_saved
	.cfi_offset %rbp, -16
end_function

function bp_in_register
	.cfi_register %rbp, %r12
end_function

function bp_far
	.cfi_offset %rbp, -1016
end_function

function bp_farthest
	.cfi_offset %rbp, -1008
end_function

function bp_above
	.cfi_offset %rbp, 8
end_function

function bx_in_register
	.cfi_register %rbx, %r12
end_function

function bx_saved
	.cfi_offset %rbx, -24
end_function

function cfa_by_r10
	.cfi_def_cfa %r10, 8
end_function

function cfa_by_bx
	.cfi_def_cfa %rbx, 16
end_function

function cfa_not_aligned
	.cfi_def_cfa_offset 12
end_function

function cfa_far
	.cfi_def_cfa_offset 32768
end_function

function cfa_farthest
	.cfi_def_cfa_offset 32760
end_function

function cfa_at_sp
	.cfi_def_cfa_offset 0
end_function

function address_elsewhere
	.cfi_offset %rip, -16
end_function

function sp_saved
	.cfi_offset %rsp, -16
end_function

function outermost
	.cfi_undefined %rip
end_function

/* CFA = *(rbp - 8), rbp at *rbp, rbx at *(rbp - 16) */
function realigned
	.cfi_escape 0x0f, 3, 0x76, 0x78, 0x06
	.cfi_escape 0x10, 6, 2, 0x76, 0
	.cfi_escape 0x10, 3, 2, 0x76, 0x70
end_function

/* CFA = *(rsp + 8) + 8 */
function by_word_of_stack
	.cfi_escape 0x0f, 5, 0x77, 0x08, 0x06, 0x23, 8
end_function

/* The expression of .plt, with another limit, and with another mask */
function plt
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x36, 0x2a, 0x33, 0x24, 0x22
end_function

function not_plt
	.cfi_escape 0x0f, 11, 0x77, 8, 0x80, 0, 0x3e, 0x1a, 0x36, 0x2a, 0x33, 0x24, 0x22
end_function

.macro signal bp=0xf8
	.cfi_escape 0x0f, 4, 0x77, 0xa0, 0x01, 0x06
	.cfi_escape 0x10, 3, 3, 0x77, 0x80, 0x01
	.cfi_escape 0x10, 6, 3, 0x77, \bp, 0x00
	.cfi_escape 0x10, 7, 3, 0x77, 0xa0, 0x01
	.cfi_escape 0x10, 16, 3, 0x77, 0xa8, 0x01
.endm

function of_signal, 1
	signal
end_function

function not_of_signal, 1
	signal 0xe8
end_function

function signal_by_sp, 1
end_function

/* What was remembered last is recalled first. */
function remembered
	.cfi_remember_state
	push %rax
	.cfi_def_cfa_offset 16
	.cfi_remember_state
	push %rax
	.cfi_def_cfa_offset 24
	nop
	.cfi_restore_state
	nop
	.cfi_restore_state
end_function

/* Not remembered; and an instruction for another processor */
function recalled
	nop
	.cfi_escape 0x0b
end_function

function unknown
	nop
	.cfi_escape 0x2d
end_function

/* Code without an entry, and padding */
	.globl bare
bare:
	push %rax
	pop %rax

function behind_bare
end_function
	.globl padding
padding:
	.byte 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0

function last
end_function

	.section .note.GNU-stack, "", @progbits
