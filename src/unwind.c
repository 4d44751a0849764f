// SPDX-License-Identifier: GPL-2.0-only
#include <linux/uaccess.h>

#include "unwind.h"

/* Words of struct rt_sigframe from where rsp points to in a handler's return */
#define SIGNAL_BP 15
#define SIGNAL_BX 16
#define SIGNAL_SP 20
#define SIGNAL_PC 21
#define SIGNAL_WORDS 22

u32 profil_unwind_flags(u32 rule)
{
	const u32 special = FRAME_SPECIAL | FRAME_NEEDS_BP | FRAME_NEEDS_BX;

	if (unwind_bp_at(rule) == PROFIL_ROW_AT_BP)
		return special;
	switch (PROFIL_RULE_KIND(rule)) {
	case PROFIL_RULE_SIGNAL:
	case PROFIL_RULE_BP_DEREF:
		return special;
	case PROFIL_RULE_BP:
		return FRAME_NEEDS_BP;
	case PROFIL_RULE_BX:
		return IS_ENABLED(CONFIG_ARM64) ? special : FRAME_NEEDS_BX;
	case PROFIL_RULE_NONE:
		return PROFIL_RULE_N(rule) ? FRAME_NEEDS_BP | FRAME_BY_RBP : 0;
	default:
		return 0;
	}
}

/* The registers of the program at the time of a signal. Any stack may follow. */
static u32 step_signal(const struct frame *frame, struct frame *caller)
{
	u64 __user *words = unwind_word(frame->sp);

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
	u64 __user *at = unwind_word(frame->bp + n);

	if (!user_access_begin(at, sizeof(u64)))
		return false;
	unsafe_get_user(*value, at, fault);
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

static u32 step_by_rbp(const struct frame *frame, struct frame *caller,
		       u64 *zero)
{
	if (!PROFIL_RULE_N(frame->rule))
		return PROFIL_WALK_NO_ROWS;
	if (!frame->bp)
		return PROFIL_WALK_BASE;
	/* On arm64 the record of a function of Go begins one word below its frame. */
	if (frame->bp & 7 ||
	    (!IS_ENABLED(CONFIG_ARM64) && frame->bp < frame->sp))
		return PROFIL_WALK_BAD;
	return unwind_to(frame, frame->bp + 16, frame->bp, caller, zero);
}

/* A function that has called another one has lost its own return address. */
static u32 step_by_lr(const struct frame *frame, struct frame *caller)
{
	if (!(frame->flags & FRAME_EXACT))
		return PROFIL_WALK_BAD;
	caller->pc = unwind_code(frame->bx);
	caller->sp = frame->sp;
	caller->bp = frame->bp;
	caller->bx = 0;
	caller->flags = 0;
	return caller->pc ? UNWIND_CALLER : PROFIL_WALK_BASE;
}

u32 profil_unwind_step(const struct frame *frame, struct frame *caller,
		       u64 *zero)
{
	u32 rule = frame->rule;
	long n = PROFIL_RULE_N(rule);
	u64 cfa, bp = frame->bp;

	if (unwind_bp_at(rule) == PROFIL_ROW_AT_BP &&
	    !read_by_rbp(frame, 0, &bp))
		return PROFIL_WALK_FAULT;
	switch (PROFIL_RULE_KIND(rule)) {
	case PROFIL_RULE_SP:
		cfa = frame->sp + n;
		break;
	case PROFIL_RULE_BP:
		cfa = frame->bp + n;
		break;
	case PROFIL_RULE_BX: /* on arm64 PROFIL_RULE_LR */
		if (IS_ENABLED(CONFIG_ARM64))
			return step_by_lr(frame, caller);
		cfa = frame->bx + n;
		break;
	case PROFIL_RULE_BP_DEREF:
		if (!read_by_rbp(frame, n, &cfa))
			return PROFIL_WALK_FAULT;
		break;
	case PROFIL_RULE_PLT:
		cfa = frame->sp + 8 + 8 * ((long)(frame->pc & 15) >= n / 8);
		break;
	case PROFIL_RULE_SIGNAL:
		return step_signal(frame, caller);
	case PROFIL_RULE_END:
		return PROFIL_WALK_BASE;
	default:
		return step_by_rbp(frame, caller, zero);
	}
	return unwind_to(frame, cfa, bp, caller, zero);
}

/* Are the registers that @frame has restored for its caller as they were? */
static __always_inline bool saved_as_before(const struct frame *frame)
{
	const struct frame *caller = frame - 1;
	u64 __user *cfa = unwind_word(caller->sp);
	u64 value;

	if (frame->flags & FRAME_SPECIAL)
		return false;
	if (frame->flags & FRAME_READS_BP) {
		unsafe_get_user(value, cfa + unwind_bp_at(frame->rule), fault);
		if (value != caller->bp)
			return false;
	}
	if (frame->flags & FRAME_READS_BX) {
		unsafe_get_user(value, cfa + unwind_bx_at(frame->rule), fault);
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
	u64 value;

	if (unlikely(!user_access_begin(unwind_word(frame->sp),
					base->sp - frame->sp)))
		return frame;
	for (; frame > base; frame--) {
		if (unlikely(frame->flags & (FRAME_SPECIAL | FRAME_READS_BP |
					     FRAME_READS_BX)) &&
		    !saved_as_before(frame))
			goto out;
		unsafe_get_user(value, unwind_word(frame[-1].sp - 8), out);
		if (unlikely(unwind_code(value) != frame[-1].pc))
			goto out;
	}
	if (unlikely(base->flags & FRAME_SPECIAL))
		goto out;
	if (unlikely(zero)) {
		unsafe_get_user(value, unwind_word(zero), out);
		if (value)
			goto out;
	}
	frame = base - 1;
out:
	user_access_end();
	return frame;
}
