/* SPDX-License-Identifier: GPL-2.0-only */
/* Symbols without a size, as assembly by hand has them: tests of labels.sh have macros */
	.text
#ifdef EXPORTED
	/* One byte, in front of functions of C that are not exported */
	.globl	tiny
	.type	tiny, @function
tiny:	ret
#endif
#ifdef WITH_ENTRY
	/* It has an entry in .eh_frame, and the code behind it has none. */
	.globl	tiny
	.type	tiny, @function
tiny:	.cfi_startproc
	nop
	nop
	ret
	.cfi_endproc
behind:	nop
	nop
	ret
#endif
#ifdef LABELS
	.globl	tiny, sized
	.type	sized, @function
sized:	nop
inner:	nop
	ret
	.size	sized, . - sized
tiny:	nop
	nop
again:	nop
	ret
#endif
	.section .note.GNU-stack, "", @progbits
