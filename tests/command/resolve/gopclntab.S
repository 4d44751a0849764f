/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two functions without symbols, of 16 bytes each, and the table that a program of Go has
 * for them, as Go KIND writes it: 2, 16, 18 or 20
 */
	.text
	.globl	_start
_start:	ret
	.p2align 4
.Lfirst:
	.skip	16, 0x90
.Lsecond:
	.skip	16, 0x90
.Lend:
	.skip	16, 0x90

	.section .note.go.buildid, "a", @note
	.long	0

	.section .gopclntab, "a", @progbits
	.p2align 5
.Ltable:
#if KIND == 2
	.long	0xfffffffb
	.byte	0, 0, 1, 8
	.quad	2
	.quad	.Lfirst, .Ldata1 - .Ltable
	.quad	.Lsecond, .Ldata2 - .Ltable
	.quad	.Lend
.Ldata1: .quad	.Lfirst
	.long	.Lname1 - .Ltable
.Ldata2: .quad	.Lsecond
	.long	.Lname2 - .Ltable
#else
# if KIND == 16
	.long	0xfffffffa
# elif KIND == 18
	.long	0xfffffff0
# else
	.long	0xfffffff1
# endif
	.byte	0, 0, 1, 8
	.quad	2, 0
# if KIND >= 18
	.quad	.Lfirst
# endif
	.quad	.Lnames - .Ltable, 0, 0, 0
	.quad	.Llist - .Ltable
	.ascii	"none"
.Lnames:
.Llist:
# if KIND == 16
	.quad	.Lfirst, .Ldata1 - .Llist
	.quad	.Lsecond, .Ldata2 - .Llist
	.quad	.Lend
.Ldata1: .quad	.Lfirst
	.long	.Lname1 - .Lnames
.Ldata2: .quad	.Lsecond
	.long	.Lname2 - .Lnames
# else
	.long	0, .Ldata1 - .Llist
	.long	.Lsecond - .Lfirst, .Ldata2 - .Llist
	.long	.Lend - .Lfirst
.Ldata1: .long	0
	.long	.Lname1 - .Lnames
.Ldata2: .long	.Lsecond - .Lfirst
	.long	.Lname2 - .Lnames
# endif
#endif
.Lname1: .asciz	"main.first"
.Lname2: .asciz	"main.(*T).second"
