/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of arm64, with frame records as compilers make them, to be read, not run */

/* Begin the function NAME, whose first instruction has the rules behind it. */
.macro function name, signal=0
	.globl \name
	.type \name, %function
\name:
	.cfi_startproc
	.if \signal
	.cfi_signal_frame
	.endif
.endm

.macro store size
	stp x29, x30, [sp, #-\size]!
	.cfi_def_cfa_offset \size
	.cfi_offset x29, -\size
	.cfi_offset x30, 8 - \size
.endm

.macro load size
	ldp x29, x30, [sp], #\size
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
.endm

.macro end_function
	ret
	.cfi_endproc
.endm

	.text
function leaf
	add x0, x0, x1
end_function

/* As gcc: a record, which x29 points to one instruction later */
function usual
	store 32
	mov x29, sp
	bl elsewhere
	load 32
end_function

/* Other registers are stored first. */
function late
	store 48
	stp x19, x20, [sp, #16]
	.cfi_offset x19, -32
	.cfi_offset x20, -24
	mov x19, x0
	add x29, sp, #0
	bl elsewhere
	load 48
end_function

/* The record is above other words of the frame. */
function high
	sub sp, sp, #64
	.cfi_def_cfa_offset 64
	stp x29, x30, [sp, #48]
	.cfi_offset x29, -16
	.cfi_offset x30, -8
	add x29, sp, #48
	bl elsewhere
	ldp x29, x30, [sp, #48]
	.cfi_restore x30
	.cfi_restore x29
	add sp, sp, #64
	.cfi_def_cfa_offset 0
end_function

/* As clang: rules come when x29 has been set. */
function at_once
	stp x29, x30, [sp, #-16]!
	mov x29, sp
	.cfi_def_cfa x29, 16
	.cfi_offset x30, -8
	.cfi_offset x29, -16
	bl elsewhere
	.cfi_def_cfa sp, 16
	ldp x29, x30, [sp], #16
	.cfi_def_cfa_offset 0
	.cfi_restore x30
	.cfi_restore x29
end_function

/* x29 is not set: it is that of the caller, or has another value. */
function unset
	store 16
	bl elsewhere
	load 16
end_function

/* As clang: the record is stored among others, and rules come behind all. */
.macro store_all
	sub sp, sp, #48
	.cfi_def_cfa_offset 48
	stp x29, x30, [sp, #16]
.endm

.macro say_all
	stp x20, x19, [sp, #32]
	.cfi_offset x19, -8
	.cfi_offset x20, -16
	.cfi_offset x30, -24
	.cfi_offset x29, -32
.endm

.macro load_all
	ldp x20, x19, [sp, #32]
	ldp x29, x30, [sp, #16]
	add sp, sp, #48
	.cfi_def_cfa_offset 0
	.cfi_restore x19
	.cfi_restore x20
	.cfi_restore x30
	.cfi_restore x29
.endm

function among_others
	store_all
	add x29, sp, #16
	say_all
	bl elsewhere
	load_all
end_function

function unset_among_others
	store_all
	say_all
	bl elsewhere
	load_all
end_function

/* x29 is not set behind an early return, either. */
function unset_returns_early
	store 16
	cbz x0, 1f
	.cfi_remember_state
	load 16
	ret
	.cfi_restore_state
1:	bl elsewhere
	load 16
end_function

function address_alone
	str x30, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	bl elsewhere
	ldr x30, [sp], #16
	.cfi_restore x30
	.cfi_def_cfa_offset 0
end_function

/* Not a record: the words have another order. */
function reversed
	stp x30, x29, [sp, #-16]!
	.cfi_def_cfa_offset 16
	.cfi_offset x30, -16
	.cfi_offset x29, -8
	mov x29, sp
	ldp x30, x29, [sp], #16
	.cfi_restore x30
	.cfi_restore x29
	.cfi_def_cfa_offset 0
end_function

/* It returns in the middle, and its record is in use behind that. */
function returns_early
	store 16
	mov x29, sp
	cbz x0, 1f
	.cfi_remember_state
	load 16
	ret
	.cfi_restore_state
1:	bl elsewhere
	load 16
end_function

function signed
	.cfi_window_save
	hint #25
	store 16
	mov x29, sp
	bl elsewhere
	load 16
	hint #29
	.cfi_window_save
end_function

function outermost
	.cfi_undefined x30
	mov x29, #0
	bl elsewhere
end_function

function of_signal, 1
	.cfi_def_cfa x29, 0
	.cfi_offset x29, 0
	.cfi_offset x30, 8
	mov x8, #139
	svc #0
end_function

	.balign 64, 0
	.globl bare
bare:
	ret
	.type bare, %function
	.size bare, 4
