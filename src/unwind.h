/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Unwinding: from a frame of a stack to that of its caller, by the rule of its PC, and
 * whether the frames of an earlier walk are there still. Pure but for reads of words of the
 * stack, which neither sleep nor handle page faults: who calls has them disabled.
 *
 * A frame that was walked before is the same if all is that the rest of the walk depends
 * on: PC and rsp, those of rbp and rbx that are needed from there on to the base, and each
 * word that was read. So a walk that trusts it has the result of one by rules alone.
 */
#ifndef PROFIL_UNWIND_H
#define PROFIL_UNWIND_H

#include <linux/compiler.h>
#include <linux/profil.h>
#include <linux/types.h>
#include <linux/uaccess.h>

/*
 * A rule is a struct profil_row without its offset: @rule, then @bp, then @bx. All that
 * is read is within UNWIND_REACH below the CFA.
 */
#define UNWIND_RULE(rule, bp, bx) \
	((u32)(u16)(rule) | (u32)(u8)(bp) << 16 | (u32)(u8)(bx) << 24)
#define UNWIND_REACH 1024

/* The rule without rows: rbp points to where the caller's was saved. */
#define UNWIND_BY_RBP UNWIND_RULE(PROFIL_RULE_BY_RBP, -2, 0)

/* How a frame was reached */
#define FRAME_EXACT 0x1 /* @pc is of an instruction, and not behind a call */
#define FRAME_KERNEL 0x2 /* the sample was taken in kernel mode */
/* What the rest of a walk depends on beside PC and rsp, see unwind_needs() */
#define FRAME_NEEDS_BP 0x4
#define FRAME_NEEDS_BX 0x8
#define FRAME_READS_BP 0x10 /* the caller's rbp, from the stack */
#define FRAME_READS_BX 0x20
#define FRAME_SPECIAL 0x40 /* the frame is stepped over by its rule, always */
#define FRAME_BY_RBP \
	0x80 /* the rest of the walk goes by UNWIND_BY_RBP somewhere */

/*
 * A function that has been called, or that was sampled: registers and rule. On arm64 @bp is
 * x29, @bx is x30 of what was sampled, and @sp of a caller is the end of the frame record
 * below it.
 */
struct frame {
	u64 pc;
	u64 sp;
	u64 bp;
	u64 bx;
	u32 rule; /* of the PC */
	union {
		struct {
			u32 flags : 8; /* FRAME_* */
			u32 place : 24; /* of the walk: a counter */
		};
		u32 mark; /* both, little-endian: one store in place of two */
	};
};

static __always_inline void frame_mark(struct frame *frame, u32 flags,
				       u32 place)
{
	frame->mark = flags | place << 8;
}

/* The flags of a rule: what its step needs */
u32 profil_unwind_flags(u32 rule);

/* The flags of @frame, given those of its caller: what the walk from there on needs */
static inline u32 unwind_needs(const struct frame *frame, u32 caller)
{
	u32 flags = frame->flags;

	if (!(caller & (FRAME_NEEDS_BP | FRAME_NEEDS_BX | FRAME_BY_RBP)))
		return flags;
	flags |= caller & FRAME_BY_RBP;
	if (flags & FRAME_SPECIAL)
		return flags;
	if (caller & FRAME_NEEDS_BP)
		flags |= (u8)(frame->rule >> 16) ? FRAME_READS_BP :
						   FRAME_NEEDS_BP;
	if (caller & FRAME_NEEDS_BX)
		flags |= frame->rule >> 24 ? FRAME_READS_BX : FRAME_NEEDS_BX;
	return flags;
}

/*
 * The address whose rule and key a frame has. A call may be the last instruction of a
 * function.
 */
static inline u64 unwind_at(const struct frame *frame)
{
	return frame->pc - !(frame->flags & FRAME_EXACT);
}

#define UNWIND_CALLER PROFIL_NR_WALKS

/* The code at the return address @word, which arm64 may have signed in its upper bits */
static __always_inline u64 unwind_code(u64 word)
{
#ifdef CONFIG_ARM64
	word &= TASK_SIZE_64 - 1;
#endif
	return word;
}

static __always_inline u64 __user *unwind_word(u64 address)
{
	return (u64 __user *)(unsigned long)address;
}

/* Words from the CFA to where the caller's rbp and rbx were saved, or not below 0 */
static __always_inline s8 unwind_bp_at(u32 rule)
{
	return rule >> 16;
}

static __always_inline s8 unwind_bx_at(u32 rule)
{
	return rule >> 24;
}

/* On arm64 the base has no frame record. */
static __always_inline bool unwind_is_base(const struct frame *frame)
{
	return IS_ENABLED(CONFIG_ARM64) && !frame->bp;
}

/* The caller by its CFA. @bp: that of the caller, unless it was saved below the CFA */
static __always_inline u32 unwind_to(const struct frame *frame, u64 cfa, u64 bp,
				     struct frame *caller, u64 *zero)
{
	s8 bp_at = unwind_bp_at(frame->rule), bx_at = unwind_bx_at(frame->rule);
	u64 __user *words = unwind_word(cfa);
	u64 pc, bx = frame->bx;

	if (unlikely(cfa <= frame->sp))
		return unwind_is_base(frame) ? PROFIL_WALK_BASE :
					       PROFIL_WALK_BAD;
	if (unlikely(!user_access_begin(unwind_word(cfa - UNWIND_REACH),
					UNWIND_REACH)))
		return PROFIL_WALK_FAULT;
	unsafe_get_user(pc, words - 1, fault);
	pc = unwind_code(pc);
	if (bp_at < 0)
		unsafe_get_user(bp, words + bp_at, fault);
	if (bx_at < 0)
		unsafe_get_user(bx, words + bx_at, fault);
	user_access_end();
	if (unlikely(!pc)) {
		*zero = cfa - 8;
		return PROFIL_WALK_BASE;
	}
	caller->pc = pc;
	caller->sp = cfa;
	caller->bp = bp;
	caller->bx = bx;
	caller->flags = 0;
	return UNWIND_CALLER;
fault:
	user_access_end();
	if (bx_at < bp_at)
		bp_at = bx_at;
	*zero = cfa + 8 * (bp_at < -1 ? bp_at : -1);
	return PROFIL_WALK_FAULT;
}

/* As below, by any rule */
u32 profil_unwind_step(const struct frame *frame, struct frame *caller,
		       u64 *zero);

/*
 * The frame that called @frame, without its rule: UNWIND_CALLER, or the PROFIL_WALK_* end.
 * *@zero: the address of the word that ended the walk, if one did; with PROFIL_WALK_FAULT of
 * the lowest one that is needed.
 */
static __always_inline u32 unwind_step(const struct frame *frame,
				       struct frame *caller, u64 *zero)
{
	u32 kind = PROFIL_RULE_KIND(frame->rule);
	u64 cfa = PROFIL_RULE_N(frame->rule);

	if (unlikely(frame->flags & FRAME_SPECIAL))
		return profil_unwind_step(frame, caller, zero);
	if (likely(kind == PROFIL_RULE_SP))
		cfa += frame->sp;
	else if (likely(kind == PROFIL_RULE_BP))
		cfa += frame->bp;
	else
		return profil_unwind_step(frame, caller, zero);
	return unwind_to(frame, cfa, frame->bp, caller, zero);
}

/* Is @old, of an earlier walk, the frame that this walk has reached? */
static inline bool unwind_is(const struct frame *old, const struct frame *frame)
{
	if (old->sp != frame->sp || old->pc != frame->pc ||
	    (old->flags ^ frame->flags) & (FRAME_EXACT | FRAME_KERNEL))
		return false;
	return (!(old->flags & FRAME_NEEDS_BP) || old->bp == frame->bp) &&
	       (!(old->flags & FRAME_NEEDS_BX) || old->bx == frame->bx);
}

/*
 * From @frame, which unwind_is(), over its callers, which precede it, up to @base: the last
 * frame up to which the stack is as it was, or the one before @base if all is, and the
 * word at @zero, unless that is 0, as well.
 */
const struct frame *profil_unwind_compare(const struct frame *frame,
					  const struct frame *base, u64 zero);

#endif /* PROFIL_UNWIND_H */
