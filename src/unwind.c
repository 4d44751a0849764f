// SPDX-License-Identifier: GPL-2.0-only
#include <linux/uaccess.h>

#include "unwind.h"

/* Words of struct rt_sigframe from where rsp points to in a handler's return */
#define SIGNAL_BP 15
#define SIGNAL_BX 16
#define SIGNAL_SP 20
#define SIGNAL_PC 21
#define SIGNAL_WORDS 22

static __always_inline u64 __user *word(u64 address)
{
	return (u64 __user *)(unsigned long)address;
}

static __always_inline long rule_n(u32 rule)
{
	return PROFIL_RULE_N(rule);
}

static __always_inline s8 rule_bp(u32 rule)
{
	return rule >> 16;
}

static __always_inline s8 rule_bx(u32 rule)
{
	return rule >> 24;
}

u32 profil_unwind_flags(u32 rule)
{
	const u32 special = FRAME_SPECIAL | FRAME_NEEDS_BP | FRAME_NEEDS_BX;

	if (rule_bp(rule) == PROFIL_ROW_AT_BP)
		return special;
	switch (PROFIL_RULE_KIND(rule)) {
	case PROFIL_RULE_SIGNAL:
	case PROFIL_RULE_BP_DEREF:
		return special;
	case PROFIL_RULE_BP:
		return FRAME_NEEDS_BP;
	case PROFIL_RULE_BX:
		return FRAME_NEEDS_BX;
	case PROFIL_RULE_NONE:
		return rule_n(rule) ? FRAME_NEEDS_BP | FRAME_BY_RBP : 0;
	default:
		return 0;
	}
}

/* The registers of the program at the time of a signal. Any stack may follow. */
static u32 step_signal(const struct frame *frame, struct frame *caller)
{
	u64 __user *words = word(frame->sp);

	if (!user_access_begin(words, SIGNAL_WORDS * sizeof(u64)))
		return PROFIL_WALK_FAULT;
	unsafe_get_user(caller->bp, words + SIGNAL_BP, fault);
	unsafe_get_user(caller->bx, words + SIGNAL_BX, fault);
	unsafe_get_user(caller->sp, words + SIGNAL_SP, fault);
	unsafe_get_user(caller->pc, words + SIGNAL_PC, fault);
	user_access_end();
	caller->flags = FRAME_EXACT;
	return UNWIND_CALLER;
fault:
	user_access_end();
	return PROFIL_WALK_FAULT;
}

/* The word at rbp + @n; false if it cannot be read. */
static bool read_by_rbp(const struct frame *frame, long n, u64 *value)
{
	u64 __user *at = word(frame->bp + n);

	if (!user_access_begin(at, sizeof(u64)))
		return false;
	unsafe_get_user(*value, at, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/* The caller by its CFA. @bp: that of the caller, unless it was saved below the CFA */
static __always_inline u32 step_to(const struct frame *frame, u64 cfa, u64 bp,
				   struct frame *caller, u64 *zero)
{
	s8 bp_at = rule_bp(frame->rule), bx_at = rule_bx(frame->rule);
	u64 __user *low = word(cfa - UNWIND_REACH);
	u64 pc, bx = frame->bx;

	if (unlikely(cfa <= frame->sp))
		return PROFIL_WALK_BAD;
	if (unlikely(!user_access_begin(low, UNWIND_REACH)))
		return PROFIL_WALK_FAULT;
	unsafe_get_user(pc, word(cfa - 8), fault);
	if (bp_at < 0)
		unsafe_get_user(bp, word(cfa + 8 * bp_at), fault);
	if (bx_at < 0)
		unsafe_get_user(bx, word(cfa + 8 * bx_at), fault);
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
	return PROFIL_WALK_FAULT;
}

static noinline u32 step_special(const struct frame *frame,
				 struct frame *caller, u64 *zero)
{
	u32 rule = frame->rule, kind = PROFIL_RULE_KIND(rule);
	u64 cfa, bp = frame->bp;

	if (kind == PROFIL_RULE_SIGNAL)
		return step_signal(frame, caller);
	if (rule_bp(rule) == PROFIL_ROW_AT_BP && !read_by_rbp(frame, 0, &bp))
		return PROFIL_WALK_FAULT;
	cfa = kind == PROFIL_RULE_BP ? frame->bp + rule_n(rule) :
	      kind == PROFIL_RULE_BX ? frame->bx + rule_n(rule) :
				       frame->sp + rule_n(rule);
	if (kind == PROFIL_RULE_BP_DEREF &&
	    !read_by_rbp(frame, rule_n(rule), &cfa))
		return PROFIL_WALK_FAULT;
	return step_to(frame, cfa, bp, caller, zero);
}

static u32 step_by_rbp(const struct frame *frame, struct frame *caller,
		       u64 *zero)
{
	if (!rule_n(frame->rule))
		return PROFIL_WALK_NO_ROWS;
	if (!frame->bp)
		return PROFIL_WALK_BASE;
	if (frame->bp & 7 || frame->bp < frame->sp)
		return PROFIL_WALK_BAD;
	return step_to(frame, frame->bp + 16, frame->bp, caller, zero);
}

u32 profil_unwind_step(const struct frame *frame, struct frame *caller,
		       u64 *zero)
{
	u32 rule = frame->rule;
	u64 cfa;

	if (unlikely(frame->flags & FRAME_SPECIAL))
		return step_special(frame, caller, zero);
	switch (PROFIL_RULE_KIND(rule)) {
	case PROFIL_RULE_SP:
		cfa = frame->sp + rule_n(rule);
		break;
	case PROFIL_RULE_BP:
		cfa = frame->bp + rule_n(rule);
		break;
	case PROFIL_RULE_BX:
		cfa = frame->bx + rule_n(rule);
		break;
	case PROFIL_RULE_PLT:
		cfa = frame->sp + 8 +
		      8 * ((long)(frame->pc & 15) >= rule_n(rule) / 8);
		break;
	case PROFIL_RULE_END:
		return PROFIL_WALK_BASE;
	default:
		return step_by_rbp(frame, caller, zero);
	}
	return step_to(frame, cfa, frame->bp, caller, zero);
}

/* Are the registers that @frame has restored for its caller as they were? */
static __always_inline bool saved_as_before(const struct frame *frame,
					    const struct frame *caller)
{
	u64 value;

	if (frame->flags & FRAME_READS_BP) {
		unsafe_get_user(value,
				word(caller->sp + 8 * rule_bp(frame->rule)),
				fault);
		if (value != caller->bp)
			return false;
	}
	if (frame->flags & FRAME_READS_BX) {
		unsafe_get_user(value,
				word(caller->sp + 8 * rule_bx(frame->rule)),
				fault);
		if (value != caller->bx)
			return false;
	}
	return true;
fault:
	return false;
}

/*
 * Each word here was read by profil_unwind_step(), so it is in user memory. That of a signal's
 * rsp need not be, so a special frame comes first.
 */
const struct frame *profil_unwind_compare(const struct frame *frame,
					  const struct frame *base, u64 zero)
{
	const struct frame *caller;
	u64 value;

	if (unlikely(!user_access_begin(word(frame->sp), base->sp - frame->sp)))
		return frame;
	for (; frame > base; frame = caller) {
		caller = frame - 1;
		if (unlikely(frame->flags & FRAME_SPECIAL))
			goto out;
		unsafe_get_user(value, word(caller->sp - 8), out);
		if (unlikely(value != caller->pc))
			goto out;
		if (unlikely(frame->flags &
			     (FRAME_READS_BP | FRAME_READS_BX)) &&
		    !saved_as_before(frame, caller))
			goto out;
	}
	if (unlikely(base->flags & FRAME_SPECIAL))
		goto out;
	if (unlikely(zero)) {
		unsafe_get_user(value, word(zero), out);
		if (value)
			goto out;
	}
	frame = base - 1;
out:
	user_access_end();
	return frame;
}
