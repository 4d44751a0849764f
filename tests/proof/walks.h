/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walks: each walk of a stack is followed by one by rows alone, and a difference is a
 * warning. src/walk.c includes this file in a module that is built with its path as
 * PROFIL_CHECK_WALKS.
 */

/* Walk by rows alone, without memo or rules beside counters. The number of frames */
static u32 walk_again(struct walk *walk, const struct user_regs *regs,
		      u32 flags, struct frame *frames, u32 *end)
{
	struct frame *frame = frames;
	u64 zero;
	u32 nr;

	set_frame(frame, regs, flags);
	for (nr = 0; nr < WALK_MAX_FRAMES; nr++, frame++) {
		u64 at = unwind_at(frame);

		*end = PROFIL_WALK_UNMAPPED;
		if (!has_range(walk, at))
			return nr;
		frame->rule = rule_by_rows(walk->range, at);
		frame->flags |= profil_unwind_flags(frame->rule);
		*end = profil_unwind_step(frame, frame + 1, &zero);
		if (*end != UNWIND_CALLER)
			return nr + 1;
	}
	*end = PROFIL_WALK_DEPTH;
	return nr;
}

static u32 length_of(const struct walk *walk)
{
	return walk->behind - walk->fresh + (walk->joined - walk->memo->frames);
}

/* Is the counter at @slot that of the PC of @frame? */
static bool is_place(const struct walk *walk, const struct frame *frame,
		     u32 slot)
{
	u64 at = unwind_at(frame), mode;
	const struct space_range *range = space_range(walk->space, at);

	mode = frame->flags & FRAME_KERNEL ? PROFIL_KEY_KERNEL : 0;
	return range && walk->half->counters[slot].key ==
				(mapped_key(&range->mapped, at) | mode);
}

/* Is the memo, which has the walk that was counted, what rows alone say? */
static bool is_right(const struct walk *walk, const struct frame *frames,
		     u32 nr, u32 end)
{
	const struct memo *memo = walk->memo;
	u32 i, node = PROFIL_NODE_ROOT + memo->root;

	if (nr != length_of(walk) || end != memo->end)
		return false;
	for (i = 1; i <= memo->leaf - memo->frames; i++) {
		const struct frame *kept = &memo->frames[i];
		const struct frame *frame = &frames[nr - i];
		u64 key = walk->half->counters[kept->place].key;

		if (kept->pc != frame->pc || kept->sp != frame->sp ||
		    PROFIL_NODE_PARENT(key) != node ||
		    !is_place(walk, frame, PROFIL_NODE_PC(key)))
			return false;
		node = kept->place;
	}
	return true;
}

/* A page may go meanwhile, and nothing else: current does not run. */
static noinline void check_walk(struct walk *walk, const struct user_regs *regs,
				u32 flags)
{
	struct frame *frames = walk->checked;
	u32 end, nr = walk_again(walk, regs, flags, frames, &end);
	bool right = is_right(walk, frames, nr, end);

	WARN_ONCE(!right && end != PROFIL_WALK_FAULT,
		  "walk: %u frames, end %u; by rows alone %u, end %u\n",
		  length_of(walk), walk->memo->end, nr, end);
}
