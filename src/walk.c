// SPDX-License-Identifier: GPL-2.0-only
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/nodemask.h>
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

/* Memos of a CPU */
#define MEMOS_LOG2 5

/* Further frames that take as long as the search for the counter of one that has none */
#define NO_COUNTER_FRAMES 3

/* Above the FRAME_* */
#define WALK_SEARCH 0x10000

/* The last walk of a task, or of another with its hash */
struct memo {
	u64 epoch; /* of the space; 0: there is nothing to be compared */
	u64 zero; /* address of the word that ended the walk, or 0 */
	u16 end; /* PROFIL_WALK_* of the stack without UNWIND_BY_RBP */
	u16 root; /* PROFIL_WALK_* whose root the nodes are below */
	struct frame *leaf; /* the last frame; frames[0] if there is none */
	/* one above all, which ends searches; then the base. Places are nodes */
	struct frame frames[1 + WALK_MAX_FRAMES];
};

static_assert(sizeof(struct frame) == 40);

/* Memory for the walks of a table on one CPU, and the walk that runs */
struct walk {
	bool busy; /* a walk runs, which an interrupt may interrupt */
	u32 end; /* PROFIL_WALK_*, if no frame follows */
	u32 flags; /* all of the frames, and WALK_SEARCH for each without a counter */
	struct half *half;
	struct space *space;
	const struct space_range *range; /* of the last PC */
	struct memo *memo;
	struct frame *behind; /* where the fresh frames end */
	/* the frame of the memo that follows them; the first one if the end does */
	struct frame *joined;
	u64 zero; /* as in the memo */
	/* frames that are not in the memo, the leaf first; places are counters of PCs */
	struct frame fresh[WALK_MAX_FRAMES + 1];
#ifdef PROFIL_CHECK_WALKS
	struct frame checked[WALK_MAX_FRAMES + 1]; /* the same by rows alone */
#endif
	struct memo memos[1 << MEMOS_LOG2];
};

/* 0, a rule of PROFIL_RULE_NONE, before the first row */
static u32 rule_by_rows(const struct space_range *range, u64 at)
{
	const struct profil_row *row;

	if (!range->rows)
		return range->rule;
	row = row_index_find(&range->rows->index,
			     mapped_key(&range->mapped, at));
	if (!row)
		return 0;
	return row->rule == PROFIL_RULE_BY_RBP ?
		       UNWIND_BY_RBP :
		       UNWIND_RULE(row->rule, row->bp, row->bx);
}

/* With its flags, and keep it beside the counter, if there is one */
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

	if (likely(mapped_has(&range->mapped, at)))
		return true;
	range = space_range(walk->space, at);
	if (unlikely(!range))
		return false;
	walk->range = range;
	WRITE_ONCE(walk->space->last, range - walk->space->ranges);
	return true;
}

/*
 * May the walk have @frame, which has no counter? Not the leaf, without which nothing is
 * counted. In an interrupt the search has taken as long as further frames do.
 */
static noinline bool may_lack_counter(struct walk *walk,
				      const struct frame *frame, u32 max_new)
{
	u32 frames = frame - walk->fresh;

	walk->flags += WALK_SEARCH;
	frames += walk->flags / WALK_SEARCH * NO_COUNTER_FRAMES;
	return frame != walk->fresh &&
	       (max_new == WALK_MAX_FRAMES || frames < max_new);
}

/*
 * Set the counter and the rule of @frame; HALF_NO_SLOT if there is no room. False if its PC
 * is in no range, or the walk may not be without its counter.
 */
static __always_inline bool place_frame(struct walk *walk, struct frame *frame,
					u32 max_new)
{
	u64 at = unwind_at(frame), key, rule = 0;
	u32 slot, flags;

	if (unlikely(!has_range(walk, at)))
		return false;
	key = mapped_key(&walk->range->mapped, at);
	if (unlikely(frame->flags & FRAME_KERNEL))
		key |= PROFIL_KEY_KERNEL;
	if (likely(half_find_slot(walk->half, key, frame != walk->fresh,
				  &slot)))
		rule = half_rule(walk->half, slot);
	else if (may_lack_counter(walk, frame, max_new))
		slot = HALF_NO_SLOT;
	else
		return false;
	if (unlikely(!rule))
		rule = find_rule(walk, at, slot);
	flags = frame->flags | rule >> 32;
	walk->flags |= flags;
	frame->rule = rule;
	frame_mark(frame, flags, slot);
	return true;
}

/*
 * Look for @frame in the memo from @old on, whose rsp is not below its own: true if it is
 * there, and the stack from there on as it was. Else *@old is where to look for its caller.
 */
static __always_inline bool
joins_memo(struct walk *walk, const struct frame *frame, struct frame **old)
{
	struct frame *at = *old, *base;
	const struct frame *same;

	while (at->sp < frame->sp)
		at--;
	*old = at;
	if (likely(!unwind_is(at, frame)))
		return false;
	base = &walk->memo->frames[1];
	same = profil_unwind_compare(at, base, walk->memo->zero);
	if (likely(same < base))
		return true;
	/* Registers that were not needed are not those of now: go on by rules. */
	*old = &base[same - base - 1];
	return false;
}

static void set_frame(struct frame *frame, const struct user_regs *regs,
		      u32 flags)
{
	frame->pc = regs->pc;
	frame->sp = regs->sp;
	frame->bp = regs->bp;
	frame->bx = regs->bx;
	frame->flags = flags;
}

/* @frame has no place. */
static enum walked lacks_text(struct walk *walk, struct frame *frame,
			      u64 *missing)
{
	*missing = unwind_at(frame);
	if (has_range(walk, *missing))
		return frame == walk->fresh ? WALK_FULL : WALK_LONG;
	if (frame == walk->fresh || !space_has_hole(walk->space, *missing))
		return WALK_LACKS;
	walk->end = PROFIL_WALK_UNMAPPED;
	walk->behind = frame;
	return WALK_COUNTED;
}

/*
 * The step from @frame cannot read the stack, maybe because NUMA balancing has made it so, to
 * see who uses it.
 */
static enum walked at_fault(const struct walk *walk, const struct frame *frame,
			    const struct user_regs *regs, u64 *missing)
{
	if (regs->is_used || num_online_nodes() == 1)
		return WALK_COUNTED;
	*missing = walk->zero ?: frame->sp;
	return WALK_ABSENT;
}

/* From the leaf, walk->fresh, to its end, or to a frame of the memo. @old: the first */
static enum walked walk_frames(struct walk *walk, const struct user_regs *regs,
			       struct frame *old, u32 max_new, u64 *missing)
{
	struct frame *frame = walk->fresh, *last = frame + max_new;
	u32 end = UNWIND_CALLER;

	while (!joins_memo(walk, frame, &old)) {
		if (unlikely(!place_frame(walk, frame, max_new)))
			return lacks_text(walk, frame, missing);
		end = unwind_step(frame, frame + 1, &walk->zero);
		frame++;
		if (unlikely(end != UNWIND_CALLER))
			goto out;
		if (unlikely(frame == last)) {
			end = PROFIL_WALK_DEPTH;
			goto out;
		}
	}
	walk->joined = old;
	walk->flags |= old->flags;
out:
	walk->behind = frame;
	walk->end = end;
	if (unlikely(end == PROFIL_WALK_FAULT))
		return at_fault(walk, frame - 1, regs, missing);
	return end == PROFIL_WALK_DEPTH && max_new < WALK_MAX_FRAMES ?
		       WALK_LONG :
		       WALK_COUNTED;
}

/* A result does not depend on what was sampled before: no walk is longer than one alone. */
static bool is_too_deep(const struct walk *walk)
{
	return walk->behind + (walk->joined - walk->memo->frames) >
	       walk->fresh + WALK_MAX_FRAMES;
}

static void begin_walk(struct walk *walk, struct memo *memo)
{
	walk->memo = memo;
	walk->flags = 0;
	walk->zero = 0;
	walk->joined = memo->frames;
}

static enum walked find_callers(struct walk *walk, const struct user_regs *regs,
				u32 max_new, u64 *missing)
{
	struct memo *memo = &walk->memos[hash_ptr(current, MEMOS_LOG2)];
	struct frame *old = memo->frames;
	enum walked walked;

	begin_walk(walk, memo);
	if (unlikely(regs->is_narrow)) {
		if (!place_frame(walk, walk->fresh, max_new))
			return lacks_text(walk, walk->fresh, missing);
		walk->behind = walk->fresh + 1;
		walk->end = PROFIL_WALK_NARROW;
		walk->flags = 0;
		return WALK_COUNTED;
	}
	if (likely(memo->epoch == walk->space->epoch))
		old = memo->leaf;
	walked = walk_frames(walk, regs, old, max_new, missing);
	if (likely(walked != WALK_COUNTED || !is_too_deep(walk)))
		return walked;
	begin_walk(walk, memo);
	return walk_frames(walk, regs, memo->frames, max_new, missing);
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

		if (!half_find_node(half, *node, PROFIL_NODE_PC(key), node))
			return false;
		frame->place = *node;
	}
	return true;
}

/* Put the fresh frames below *@node, the base first, and into the memo. */
static bool hang_fresh(struct walk *walk, u32 *node)
{
	struct memo *memo = walk->memo;
	struct half *half = walk->half;
	struct frame *kept = walk->joined, *frame = walk->behind;
	u32 needs = kept->flags, last = *node;

	while (frame > walk->fresh) {
		u32 place = frame[-1].place;

		if (unlikely(place == HALF_NO_SLOT ||
			     !half_find_node(half, last, place, &last)))
			break;
		frame--;
		needs = unwind_needs(frame, needs);
		*++kept = *frame;
		frame_mark(kept, needs, last);
	}
	memo->leaf = kept;
	*node = last;
	return frame == walk->fresh;
}

/*
 * The node of the stack, or the one that is farthest from its root and exists; or the
 * root. False if that is not the whole stack.
 */
static bool hang_stack(struct walk *walk, u32 *node)
{
	struct memo *memo = walk->memo;
	u32 root, last_root = memo->root;

	if (walk->joined == memo->frames) {
		memo->epoch = is_kept(walk->end) ? walk->space->epoch : 0;
		memo->zero = walk->zero;
		memo->end = walk->end;
	}
	root = walk->flags & FRAME_BY_RBP ? PROFIL_WALK_BY_RBP : memo->end;
	memo->root = root;
	*node = PROFIL_NODE_ROOT + root;
	if (likely(walk->joined != memo->frames && last_root == root)) {
		*node = walk->joined->place;
	} else if (!hang_anew(walk, node)) {
		memo->epoch = 0;
		memo->leaf = memo->frames;
		return false;
	}
	return hang_fresh(walk, node);
}

static u32 slot_of_leaf(const struct walk *walk)
{
	const struct half *half = walk->half;

	return likely(walk->behind != walk->fresh) ?
		       walk->fresh[0].place :
		       PROFIL_NODE_PC(half->counters[walk->joined->place].key);
}

/* What is below the node of the leaf is a function of the kernel that it called, @key. */
static noinline bool hang_kernel(struct half *half, u64 key, u32 *node)
{
	u32 slot;

	return half_find_slot(half, key, true, &slot) &&
	       half_find_node(half, *node, slot, node);
}

/* Preemption is off. */
static void count_walk(struct walk *walk, u64 mode, u32 samples)
{
	struct half *half = walk->half;
	u32 leaf = slot_of_leaf(walk), node;
	bool is_whole;

	half_add_at(half, leaf, samples);
	is_whole = hang_stack(walk, &node);
	if (unlikely(mode & HALF_KERNEL_PC)) {
		u64 text = (u64)PROFIL_KEY_TEXT(half->counters[leaf].key) << 32;

		half_add_kernel(half, text, mode, samples);
		is_whole = is_whole && hang_kernel(half, text | mode, &node);
	}
	if (unlikely(!is_whole))
		half_count(half, OUTCOME_WALK_SHORTENED, samples);
	if (likely(node < PROFIL_NODE_ROOT))
		half_add_at(half, node, samples);
	half_count(half, OUTCOME_WALKS + walk->memo->root, samples);
}

#ifdef PROFIL_CHECK_WALKS
#include PROFIL_CHECK_WALKS
#else
static void check_walk(struct walk *walk, const struct user_regs *regs,
		       u32 flags)
{
}
#endif

/* Page faults are disabled, and interrupts or preemption. */
static __always_inline enum walked walk_with(struct walk *walk,
					     const struct user_regs *regs,
					     u64 mode, u32 samples, u32 max_new,
					     u64 *missing)
{
	u32 flags = FRAME_EXACT | (unlikely(mode) ? FRAME_KERNEL : 0);
	enum walked walked;

	set_frame(walk->fresh, regs, flags);
	walked = find_callers(walk, regs, max_new, missing);
	if (unlikely(walked != WALK_COUNTED))
		return walked;
	count_walk(walk, mode, samples);
	if (!regs->is_narrow)
		check_walk(walk, regs, flags);
	return WALK_COUNTED;
}

enum walked profil_walk(struct table *table, struct half *half,
			const struct identity *identity,
			const struct user_regs *regs, u64 mode, u32 samples,
			u32 max_new, u64 *missing)
{
	struct space *space = space_find(&half->cache, identity);
	enum walked walked = WALK_LONG;
	struct walk *walk;

	*missing = regs->pc;
	if (unlikely(!space ||
		     !space_is_valid(space, rows_version(table->rows))))
		return WALK_LACKS;
	preempt_disable();
	walk = *this_cpu_ptr(&table->cpus->walk);
	if (likely(!READ_ONCE(walk->busy))) {
		WRITE_ONCE(walk->busy, true);
		barrier();
		/* data race: current may be reading its count, which is restored. */
		data_race((pagefault_disable(), 0));
		walk->half = half;
		walk->space = space;
		walk->range = &space->ranges[READ_ONCE(space->last)];
		walked = walk_with(walk, regs, mode, samples, max_new, missing);
		data_race((pagefault_enable(), 0)); /* data race: as above */
		barrier();
		WRITE_ONCE(walk->busy, false);
	}
	preempt_enable();
	return walked;
}

size_t profil_walks_bytes(void)
{
	return num_possible_cpus() * sizeof(struct walk);
}

static void init_memo(struct memo *memo)
{
	memo->leaf = memo->frames;
	memo->frames[0].sp = U64_MAX;
}

int profil_walks_alloc(struct table *table)
{
	struct walk **walk;
	int cpu, i;

	for_each_possible_cpu(cpu) {
		walk = &per_cpu_ptr(table->cpus, cpu)->walk;
		*walk = kvzalloc_node(sizeof(**walk), GFP_KERNEL_ACCOUNT,
				      cpu_to_node(cpu));
		if (!*walk)
			return -ENOMEM;
		for (i = 0; i < 1 << MEMOS_LOG2; i++)
			init_memo(&(*walk)->memos[i]);
	}
	return 0;
}

void profil_walks_free(struct table *table)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kvfree(per_cpu_ptr(table->cpus, cpu)->walk);
}
