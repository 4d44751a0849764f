// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/topology.h>
#include <linux/uaccess.h>

#include "half.h"
#include "rows.h"
#include "space.h"
#include "table.h"
#include "unwind.h"
#include "walk.h"

/*
 * Memos of a CPU, and frames of each behind one that is above all. A task whose stack is
 * deeper takes two memos, the first of which has all their frames.
 */
#define MEMOS_LOG2 5
#define MEMO_FRAMES 65
static_assert(2 * MEMO_FRAMES > WALK_MAX_FRAMES);

/* The last walk of a task, or of another with its hash */
struct memo {
	u64 epoch; /* of the space; 0: there is nothing to be compared */
	u64 zero; /* address of the word that ended the walk, or 0 */
	u16 end; /* PROFIL_WALK_* of the stack without UNWIND_BY_RBP */
	u16 root; /* PROFIL_WALK_* whose root the nodes are below */
	u32 nr; /* of frames, without the first */
	/* who has this memo and the next, of an odd number; or NULL. Compared only */
	const struct task_struct *owner;
	/* one above all, which ends searches; then the base. Places are nodes. Constant */
	struct frame *frames;
};

static_assert(sizeof(struct frame) == 40);

/* Memory for the walks of a table on one CPU */
struct walks {
	bool busy; /* a walk runs, which an interrupt may interrupt */
	struct memo memos[1 << MEMOS_LOG2];
	struct frame frames[MEMO_FRAMES << MEMOS_LOG2];
	/* of the running walk, the leaf first; places are counters of PCs */
	struct frame fresh[WALK_MAX_FRAMES + 1];
#ifdef PROFIL_CHECK_WALKS
	struct frame checked[WALK_MAX_FRAMES + 1]; /* the same by rows alone */
#endif
};

/* A walk */
struct walk {
	struct half *half;
	struct space *space;
	const struct space_range *range; /* of the last PC */
	struct memo *memo;
	struct frame *fresh; /* frames that are not in the memo */
	u32 nr; /* of these */
	/* the frame of the memo that follows them; the first one if the end does */
	struct frame *joined;
	u32 end; /* PROFIL_WALK_* */
	u32 flags; /* all of the fresh frames */
	u64 zero; /* as in the memo */
};

static u32 rule_by_rows(const struct space_range *range, u64 at)
{
	u32 rule;

	if (!range->rows)
		return range->rule;
	rule = rows_rule(range->rows, space_key(range, at));
	return (u16)rule == PROFIL_RULE_BY_RBP ? UNWIND_BY_RBP : rule;
}

/* With its flags, and keep it beside the counter */
static noinline u64 find_rule(const struct walk *walk, u64 at, u32 slot)
{
	u32 rule = rule_by_rows(walk->range, at);
	u64 with_flags = (u64)profil_unwind_flags(rule) << 32 | rule;

	if (with_flags && walk->range->rows && slot != HALF_NO_SLOT)
		profil_half_set_rule(walk->half, slot, with_flags);
	return with_flags;
}

static __always_inline bool has_range(struct walk *walk, u64 at)
{
	const struct space_range *range = walk->range;

	if (likely(at - range->start < range->size))
		return true;
	range = space_range(walk->space, at);
	if (unlikely(!range))
		return false;
	walk->range = range;
	return true;
}

/* Set the counter and the rule of @frame. False if its PC is in no range. */
static __always_inline bool place(struct walk *walk, struct frame *frame)
{
	u64 at = unwind_at(frame), key, rule = 0;
	u32 slot;

	if (unlikely(!has_range(walk, at)))
		return false;
	key = space_key(walk->range, at);
	if (unlikely(frame->flags & FRAME_KERNEL))
		key |= PROFIL_KEY_KERNEL;
	slot = half_slot(walk->half, key, frame != walk->fresh);
	if (likely(slot != HALF_NO_SLOT))
		rule = half_rule(walk->half, slot);
	if (unlikely(!rule))
		rule = find_rule(walk, at, slot);
	frame->place = slot;
	frame->rule = rule;
	frame->flags |= rule >> 32;
	walk->flags |= rule >> 32;
	return true;
}

/*
 * Look for @frame in the memo from @old on, whose rsp is not below its own: true if it is
 * there, and the stack from there on as it was. Else *@old is where to look for its caller.
 */
static __always_inline bool joins(struct walk *walk, const struct frame *frame,
				  struct frame **old)
{
	struct frame *at = *old, *base = &walk->memo->frames[1];
	const struct frame *same;

	while (at->sp < frame->sp)
		at--;
	*old = at;
	if (at->sp != frame->sp || !unwind_is(at, frame))
		return false;
	same = profil_unwind_compare(at, base, walk->memo->zero);
	if (likely(same < base))
		return true;
	/* Registers that were not needed are not those of now: go on by rules. */
	*old = &base[same - base - 1];
	return false;
}

static struct frame frame_of(const struct user_regs *regs, u32 flags)
{
	return (struct frame){
		.pc = regs->pc,
		.sp = regs->sp,
		.bp = regs->bp,
		.bx = regs->bx,
		.flags = flags,
	};
}

/* The PC of @frame is in no range. */
static enum walked lacks(struct walk *walk, const struct frame *frame,
			 u64 *missing)
{
	*missing = unwind_at(frame);
	if (frame == walk->fresh || !space_has_hole(walk->space, *missing))
		return WALK_LACKS;
	walk->end = PROFIL_WALK_UNMAPPED;
	walk->nr = frame - walk->fresh;
	return WALK_COUNTED;
}

/* From the leaf, walk->fresh, to its end, or to a frame of the memo. @old: the first */
static enum walked go(struct walk *walk, struct frame *old, u32 max_new,
		      u64 *missing)
{
	struct frame *frame = walk->fresh, *last = frame + max_new;

	while (!joins(walk, frame, &old)) {
		if (unlikely(!place(walk, frame)))
			return lacks(walk, frame, missing);
		walk->zero = 0;
		walk->end = profil_unwind_step(frame, frame + 1, &walk->zero);
		frame++;
		walk->nr = frame - walk->fresh;
		if (unlikely(walk->end != UNWIND_CALLER))
			return WALK_COUNTED;
		walk->end = PROFIL_WALK_DEPTH;
		if (unlikely(frame == last))
			return max_new < WALK_MAX_FRAMES ? WALK_LONG :
							   WALK_COUNTED;
	}
	walk->nr = frame - walk->fresh;
	walk->joined = old;
	walk->flags |= old->flags;
	return WALK_COUNTED;
}

/* A result does not depend on what was sampled before: no walk is longer than one alone. */
static bool is_too_deep(const struct walk *walk)
{
	return walk->nr + (walk->joined - walk->memo->frames) > WALK_MAX_FRAMES;
}

static void begin(struct walk *walk, struct memo *memo, struct frame *fresh)
{
	walk->memo = memo;
	walk->fresh = fresh;
	walk->nr = 0;
	walk->flags = 0;
	walk->zero = 0;
	walk->joined = memo->frames;
	memo->frames[0].sp = U64_MAX;
}

/* That of current. The next task with another memo of two ends their owner. */
static struct memo *memo_of_current(struct walks *walks)
{
	u32 nr = hash_ptr(current, MEMOS_LOG2);
	struct memo *first = &walks->memos[nr & ~1];

	if (likely(!first->owner) || first->owner == current)
		return first->owner ? first : &walks->memos[nr];
	first->owner = NULL;
	first->epoch = 0;
	return &walks->memos[nr];
}

/* Have current take two memos from now on, as one is too short. */
static void take_two(struct walks *walks, const struct memo *memo)
{
	u32 nr = (memo - walks->memos) & ~1;

	walks->memos[nr].owner = current;
	walks->memos[nr + 1].epoch = 0;
	if (memo != &walks->memos[nr])
		walks->memos[nr].epoch = 0;
}

static u32 memo_room(const struct memo *memo)
{
	return (memo->owner ? 2 * MEMO_FRAMES : MEMO_FRAMES) - 1;
}

static enum walked find_callers(struct walk *walk, struct walks *walks,
				const struct user_regs *regs, u32 max_new,
				u64 *missing)
{
	struct memo *memo = memo_of_current(walks);
	struct frame *old = memo->frames;
	enum walked walked;

	begin(walk, memo, walks->fresh);
	if (unlikely(regs->is_narrow)) {
		if (!place(walk, walk->fresh))
			return lacks(walk, walk->fresh, missing);
		walk->nr = 1;
		walk->end = PROFIL_WALK_NARROW;
		walk->flags = 0;
		return WALK_COUNTED;
	}
	if (likely(memo->epoch == walk->space->epoch))
		old += memo->nr;
	walked = go(walk, old, max_new, missing);
	if (likely(walked != WALK_COUNTED || !is_too_deep(walk)))
		return walked;
	begin(walk, memo, walks->fresh);
	return go(walk, memo->frames, max_new, missing);
}

/* What the walk's end depends on is in the frames, and in the word that was zero. */
static bool is_kept(u32 end)
{
	return end == PROFIL_WALK_BASE || end == PROFIL_WALK_BAD ||
	       end == PROFIL_WALK_NO_ROWS;
}

/* Put the frames of the memo that are joined below *@node, which becomes their last. */
static bool hang_anew(struct walk *walk, u32 *node)
{
	struct half *half = walk->half;
	struct frame *frame;

	for (frame = &walk->memo->frames[1]; frame <= walk->joined; frame++) {
		u64 key = half->counters[frame->place].key;
		u32 child = half_child(half, *node, PROFIL_NODE_PC(key));

		if (child == HALF_NO_SLOT)
			return false;
		*node = child;
		frame->place = child;
	}
	return true;
}

/* Put the fresh frames below *@node, the base first, and into the memo. */
static bool hang_fresh(struct walk *walk, u32 *node)
{
	struct frame *kept = walk->joined, *frame = walk->fresh + walk->nr;
	u32 needs = kept->flags, room = memo_room(walk->memo);

	while (frame-- > walk->fresh) {
		u32 child = frame->place == HALF_NO_SLOT ?
				    HALF_NO_SLOT :
				    half_child(walk->half, *node, frame->place);

		if (unlikely(child == HALF_NO_SLOT))
			break;
		*node = child;
		if (unlikely(kept == &walk->memo->frames[room]))
			continue;
		*++kept = *frame;
		kept->place = child;
		needs = unwind_needs(kept, needs);
		kept->flags = needs;
	}
	walk->memo->nr = kept - walk->memo->frames;
	return frame < walk->fresh;
}

/*
 * The node of the stack, or the one that is farthest from its root and exists; or the
 * root. False if that is not the whole stack.
 */
static bool hang(struct walk *walk, u32 *node)
{
	struct memo *memo = walk->memo;
	u32 root;

	if (walk->joined == memo->frames) {
		memo->epoch = is_kept(walk->end) ? walk->space->epoch : 0;
		memo->zero = walk->zero;
		memo->end = walk->end;
	}
	root = walk->flags & FRAME_BY_RBP ? PROFIL_WALK_BY_RBP : memo->end;
	*node = PROFIL_NODE_ROOT + root;
	if (likely(walk->joined != memo->frames && memo->root == root)) {
		*node = walk->joined->place;
	} else if (!hang_anew(walk, node)) {
		memo->epoch = 0;
		memo->nr = 0;
		return false;
	}
	memo->root = root;
	return hang_fresh(walk, node);
}

static u32 slot_of_leaf(const struct walk *walk)
{
	const struct half *half = walk->half;

	return likely(walk->nr) ?
		       walk->fresh[0].place :
		       PROFIL_NODE_PC(half->counters[walk->joined->place].key);
}

/* What is below the node of the leaf is a function of the kernel that it called. */
static noinline bool hang_kernel(struct half *half, u32 leaf, u32 *node,
				 u64 mode)
{
	u64 text = half->counters[leaf].key & (u64)PROFIL_TEXT_KERNEL << 32;
	u32 slot = half_slot(half, text | mode, true), child = HALF_NO_SLOT;

	if (slot != HALF_NO_SLOT)
		child = half_child(half, *node, slot);
	if (child == HALF_NO_SLOT)
		return false;
	*node = child;
	return true;
}

/* Preemption is off. */
static enum walked count(struct walk *walk, u64 mode, u32 samples)
{
	struct half *half = walk->half;
	u32 leaf = slot_of_leaf(walk), node;
	bool is_whole;

	if (unlikely(leaf == HALF_NO_SLOT))
		return WALK_FULL;
	half_add_at(half, leaf, samples);
	is_whole = hang(walk, &node);
	if (unlikely(mode & HALF_KERNEL_PC)) {
		half_add_kernel(half,
				half->counters[leaf].key &
					(u64)PROFIL_TEXT_KERNEL << 32,
				mode, samples);
		is_whole = is_whole && hang_kernel(half, leaf, &node, mode);
	}
	if (unlikely(!is_whole))
		half_count(half, OUTCOME_WALK_SHORTENED, samples);
	if (likely(node < PROFIL_NODE_ROOT))
		half_add_at(half, node, samples);
	half_count(half, OUTCOME_WALKS + walk->memo->root, samples);
	WRITE_ONCE(walk->space->last, walk->range - walk->space->ranges);
	return WALK_COUNTED;
}

#ifdef PROFIL_CHECK_WALKS

/* Walk by rows alone, without memo or rules beside counters. The number of frames */
static u32 walk_again(struct walk *walk, const struct user_regs *regs,
		      u32 flags, struct frame *frames, u32 *end)
{
	struct frame *frame = frames;
	u64 zero;
	u32 nr;

	*frame = frame_of(regs, flags);
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

/* Is the memo, which has the walk that was counted, what rows alone say? */
static bool is_right(const struct walk *walk, const struct frame *frames,
		     u32 nr, u32 end)
{
	const struct memo *memo = walk->memo;
	u32 i, node = PROFIL_NODE_ROOT + memo->root;

	if (nr != walk->nr + (walk->joined - memo->frames) || end != memo->end)
		return false;
	for (i = 1; i <= memo->nr; i++) {
		const struct frame *kept = &memo->frames[i];
		const struct frame *frame = &frames[nr - i];
		u64 key = walk->half->counters[kept->place].key;

		if (kept->pc != frame->pc || kept->sp != frame->sp ||
		    PROFIL_NODE_PARENT(key) != node)
			return false;
		node = kept->place;
	}
	return true;
}

/* A page may go meanwhile, and nothing else: current does not run. */
static noinline void check(struct walk *walk, struct walks *walks,
			   const struct user_regs *regs, u32 flags)
{
	u32 end, nr = walk_again(walk, regs, flags, walks->checked, &end);
	bool right = is_right(walk, walks->checked, nr, end);

	WARN_ONCE(!right && end != PROFIL_WALK_FAULT,
		  "walk: %u + %zd frames, end %u; by rows alone %u, end %u\n",
		  walk->nr, walk->joined - walk->memo->frames, walk->memo->end,
		  nr, end);
}

#else

static void check(struct walk *walk, struct walks *walks,
		  const struct user_regs *regs, u32 flags)
{
}

#endif

/* An interrupt changes the count of current, which it interrupts, and restores it. */

static __always_inline void disable_page_faults(void)
{
	/* data race: current may be reading it. */
	data_race((pagefault_disable(), 0));
}

static __always_inline void enable_page_faults(void)
{
	/* data race: as above */
	data_race((pagefault_enable(), 0));
}

/* Page faults are disabled, and interrupts or preemption. */
static enum walked walk_with(struct walk *walk, struct walks *walks,
			     const struct user_regs *regs, u64 mode,
			     u32 samples, u32 max_new, u64 *missing)
{
	u32 flags = FRAME_EXACT | (mode ? FRAME_KERNEL : 0);
	enum walked walked;

	walks->fresh[0] = frame_of(regs, flags);
	walked = find_callers(walk, walks, regs, max_new, missing);
	if (walked == WALK_COUNTED)
		walked = count(walk, mode, samples);
	if (unlikely(walk->memo->nr == memo_room(walk->memo)))
		take_two(walks, walk->memo);
	if (walked == WALK_COUNTED && !regs->is_narrow)
		check(walk, walks, regs, flags);
	return walked;
}

enum walked profil_walk(struct table *table, struct half *half,
			const struct identity *identity,
			const struct user_regs *regs, u64 mode, u32 samples,
			u32 max_new, u64 *missing)
{
	struct walk walk = { .half = half };
	enum walked walked = WALK_LONG;
	struct walks *walks;

	*missing = regs->pc;
	walk.space = space_find(&half->spaces, identity);
	if (unlikely(!walk.space ||
		     !space_is_valid(walk.space,
				     rows_walk_version(table->rows))))
		return WALK_LACKS;
	walk.range = &walk.space->ranges[READ_ONCE(walk.space->last)];
	preempt_disable();
	walks = *this_cpu_ptr(&table->cpus->walks);
	if (likely(!READ_ONCE(walks->busy))) {
		WRITE_ONCE(walks->busy, true);
		barrier();
		disable_page_faults();
		walked = walk_with(&walk, walks, regs, mode, samples, max_new,
				   missing);
		enable_page_faults();
		barrier();
		WRITE_ONCE(walks->busy, false);
	}
	preempt_enable();
	return walked;
}

size_t profil_walks_bytes(void)
{
	return num_possible_cpus() * sizeof(struct walks);
}

int profil_walks_alloc(struct table *table)
{
	struct walks **walks;
	int cpu, i;

	for_each_possible_cpu(cpu) {
		walks = &per_cpu_ptr(table->cpus, cpu)->walks;
		*walks = kvzalloc_node(sizeof(**walks), GFP_KERNEL_ACCOUNT,
				       cpu_to_node(cpu));
		if (!*walks)
			return -ENOMEM;
		for (i = 0; i < 1 << MEMOS_LOG2; i++)
			(*walks)->memos[i].frames =
				&(*walks)->frames[i * MEMO_FRAMES];
	}
	return 0;
}

void profil_walks_free(struct table *table)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kvfree(per_cpu_ptr(table->cpus, cpu)->walks);
}
