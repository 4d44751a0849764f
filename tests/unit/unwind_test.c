// SPDX-License-Identifier: GPL-2.0-only
/*
 * src/unwind.h: cases of registers, words and a rule, each with the next frame or the end;
 * and that a walk which trusts frames of an earlier one has the result of one by rules
 * alone, for random stacks, rules and changes. A report of a wrong stack becomes a case.
 */
#include <linux/uaccess.h>
#include <string.h>

#include "random.h"
#include "unwind.h"

#define STACK 0x7ffc00001000ULL
#define WORDS 256
#define USER_END 0x7ffffffff000ULL

static u64 words[WORDS];
static bool absent[WORDS];
static bool is_open; /* between user_access_begin() and its end */
static u64 open_low, open_high;
static bool is_step; /* reads what it has asked for, and nothing else */
static bool escaped; /* a word outside of user memory, or of what was asked for */

bool user_access_begin(const void *at, u64 size)
{
	u64 low = (unsigned long)at;

	if (size > USER_END || low > USER_END - size)
		return false;
	escaped |= is_open;
	is_open = true;
	open_low = low;
	open_high = low + size;
	return true;
}

void user_access_end(void)
{
	escaped |= !is_open;
	is_open = false;
}

bool user_word(const void *at, u64 *value)
{
	u64 address = (unsigned long)at, nr = (address - STACK) / 8;

	escaped |= !is_open || address > USER_END - 8;
	escaped |= is_step && (address < open_low || address + 8 > open_high);
	if (address < STACK || nr >= WORDS || absent[nr])
		return false;
	*value = words[nr];
	return true;
}

static void clear(void)
{
	memset(words, 0, sizeof(words));
	memset(absent, 0, sizeof(absent));
	is_open = false;
	is_step = true;
	escaped = false;
}

/* rsp of all cases, and the address of a word above it */
#define SP (STACK + 0x400)
#define AT(words_above) (SP + 8 * (words_above))

struct unwind_case {
	const char *what;
	u32 rule;
	u64 pc, bp, bx;
	struct {
		u64 at, value;
	} words[5];
	u32 end; /* UNWIND_CALLER: the next are those of the caller */
	u64 caller_pc, caller_sp, caller_bp, caller_bx;
	u32 caller_flags;
};

#define CALLER(pc, sp, bp, bx)                                  \
	.end = UNWIND_CALLER, .caller_pc = pc, .caller_sp = sp, \
	.caller_bp = bp, .caller_bx = bx
#define OF(kind, n) (PROFIL_RULE_##kind | (u32)(u16)(n))

static const struct unwind_case cases[] = {
	{ "the first instruction of a function", UNWIND_RULE(OF(SP, 8), 0, 0),
	  .bp = 5, .bx = 6, .words = { { AT(0), 0x1111 } },
	  CALLER(0x1111, AT(1), 5, 6) },
	{ "rbp and rbx saved below the return address",
	  UNWIND_RULE(OF(SP, 24), -2, -3), .bp = 5, .bx = 6,
	  .words = { { AT(0), 66 }, { AT(1), 55 }, { AT(2), 0x1111 } },
	  CALLER(0x1111, AT(3), 55, 66) },
	{ "a function with a frame pointer", UNWIND_RULE(OF(BP, 16), -2, 0),
	  .bp = AT(4), .bx = 6,
	  .words = { { AT(4), AT(9) }, { AT(5), 0x2222 } },
	  CALLER(0x2222, AT(6), AT(9), 6) },
	{ "a frame pointer below rsp", UNWIND_RULE(OF(BP, 16), -2, 0),
	  .bp = AT(-3), .end = PROFIL_WALK_BAD },
	{ "a CFA at rsp", UNWIND_RULE(OF(BP, 16), -2, 0), .bp = AT(-2),
	  .end = PROFIL_WALK_BAD },
	{ "by rbx", UNWIND_RULE(OF(BX, 16), 0, -2), .bp = 5, .bx = AT(1),
	  .words = { { AT(1), 77 }, { AT(2), 0x3333 } },
	  CALLER(0x3333, AT(3), 5, 77) },
	{ "a realigned stack",
	  UNWIND_RULE(OF(BP_DEREF, -8), PROFIL_ROW_AT_BP, 0), .bp = AT(8),
	  .bx = 6,
	  .words = { { AT(7), AT(12) }, { AT(8), 88 }, { AT(11), 0x4444 } },
	  CALLER(0x4444, AT(12), 88, 6) },
	{ "rbp saved where rbp points to",
	  UNWIND_RULE(OF(SP, 16), PROFIL_ROW_AT_BP, 0), .bp = AT(6), .bx = 6,
	  .words = { { AT(6), 88 }, { AT(1), 0x4444 } },
	  CALLER(0x4444, AT(2), 88, 6) },
	{ "an entry of .plt before its push", UNWIND_RULE(OF(PLT, 88), 0, 0),
	  .pc = 0x100a, .bp = 5, .words = { { AT(0), 0x5555 } },
	  CALLER(0x5555, AT(1), 5, 0) },
	{ "an entry of .plt behind its push", UNWIND_RULE(OF(PLT, 88), 0, 0),
	  .pc = 0x100b, .bp = 5, .words = { { AT(1), 0x5555 } },
	  CALLER(0x5555, AT(2), 5, 0) },
	{ "the end of a signal's handler", UNWIND_RULE(OF(SIGNAL, 0), 0, 0),
	  .words = { { AT(15), 51 },
		     { AT(16), 52 },
		     { AT(20), STACK },
		     { AT(21), 0x6666 } },
	  CALLER(0x6666, STACK, 51, 52), .caller_flags = FRAME_EXACT },
	{ "generated code", UNWIND_BY_RBP, .bp = AT(2), .bx = 6,
	  .words = { { AT(2), AT(5) }, { AT(3), 0x7777 } },
	  CALLER(0x7777, AT(4), AT(5), 6) },
	{ "generated code, rbp 0", UNWIND_BY_RBP, .end = PROFIL_WALK_BASE },
	{ "generated code, rbp of another use", UNWIND_BY_RBP, .bp = AT(2) + 1,
	  .end = PROFIL_WALK_BAD },
	{ "generated code, rbp below rsp", UNWIND_BY_RBP, .bp = AT(-1),
	  .end = PROFIL_WALK_BAD },
	{ "the outermost function", UNWIND_RULE(OF(END, 0), 0, 0),
	  .end = PROFIL_WALK_BASE },
	{ "a return address of 0", UNWIND_RULE(OF(SP, 8), 0, 0),
	  .end = PROFIL_WALK_BASE },
	{ "no rule", UNWIND_RULE(OF(NONE, 0), 0, 0),
	  .end = PROFIL_WALK_NO_ROWS },
	{ "a word that is not there", UNWIND_RULE(OF(SP, 0x7ff8), 0, 0),
	  .end = PROFIL_WALK_FAULT },
	{ "a frame in the kernel", UNWIND_RULE(OF(BP, 16), -2, 0),
	  .bp = 0xffff888000000000, .end = PROFIL_WALK_FAULT },
	{ "a frame at the end of user memory", UNWIND_RULE(OF(BP, 16), -2, 0),
	  .bp = USER_END - 8, .end = PROFIL_WALK_FAULT },
	{ "a CFA in the kernel", UNWIND_RULE(OF(BP_DEREF, 0), 0, 0),
	  .bp = AT(1), .words = { { AT(1), 0xffffffff81000000 } },
	  .end = PROFIL_WALK_FAULT },
	{ "a signal frame in the kernel", UNWIND_RULE(OF(BP_DEREF, 0), 0, 0),
	  .bp = 0xffff888000000000, .end = PROFIL_WALK_FAULT },
};

static void set_words(const struct unwind_case *it)
{
	clear();
	for (size_t i = 0; i < ARRAY_LENGTH(it->words); i++)
		if (it->words[i].at)
			words[(it->words[i].at - STACK) / 8] =
				it->words[i].value;
}

static bool runs(const struct unwind_case *it)
{
	struct frame frame = {
		.pc = it->pc,
		.sp = SP,
		.bp = it->bp,
		.bx = it->bx,
		.rule = it->rule,
		.flags = profil_unwind_flags(it->rule),
	};
	/* What was there before does not matter. */
	struct frame caller = { .pc = 1, .flags = FRAME_EXACT | FRAME_KERNEL };
	u64 zero = 0;

	set_words(it);
	CHECK_EQUAL(it->end, unwind_step(&frame, &caller, &zero));
	CHECK(!escaped && !is_open);
	if (it->end != UNWIND_CALLER)
		return true;
	CHECK_EQUAL(it->caller_pc, caller.pc);
	CHECK_EQUAL(it->caller_sp, caller.sp);
	CHECK_EQUAL(it->caller_bp, caller.bp);
	CHECK_EQUAL(it->caller_bx, caller.bx);
	CHECK_EQUAL(it->caller_flags, caller.flags);
	return true;
}

TEST("each rule leads to its caller, or to an end")
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		CASE(runs(&cases[i]), "%s", cases[i].what);
	return true;
}

/* The frequent rules have a way of their own, with the result of the one for all. */
static bool steps(const struct frame *frame)
{
	struct frame caller = { 0 }, other = { 0 };
	u64 zero = 0, other_zero = 0;
	u32 end = unwind_step(frame, &caller, &zero);

	return end <= UNWIND_CALLER &&
	       end == profil_unwind_step(frame, &other, &other_zero) &&
	       zero == other_zero && !memcmp(&caller, &other, sizeof(caller));
}

TEST("any registers, words and rule are an end or a caller, inside of user memory")
{
	for (u32 i = 0; i < 2000000; i++) {
		struct frame frame = { .pc = random_u64() };
		u64 *registers[] = { &frame.sp, &frame.bp, &frame.bx };
		u32 bp = random_u64() & 0xff, bx = random_u64() | 0x80;

		if (!(i & 0xff))
			for (size_t w = 0; w < WORDS; w++)
				words[w] =
					random_one_in(2) ?
						random_u64() :
						STACK + 8 * random_below(WORDS);
		for (size_t r = 0; r < 3; r++)
			*registers[r] = random_one_in(4) ?
						random_u64() :
					random_one_in(4) ?
						USER_END - random_below(64) :
						STACK + random_below(WORDS * 8);
		/* As rows are checked: saved below the CFA, or for rbp at rbp */
		bp = bp < 0x80 ? (bp & 1 ? PROFIL_ROW_AT_BP : 0) : bp;
		frame.rule = UNWIND_RULE(random_u64(), bp, bx);
		frame.flags = profil_unwind_flags(frame.rule);
		escaped = false;
		CASE(steps(&frame) && !escaped && !is_open,
		     "rule %x sp %llx bp %llx bx %llx", frame.rule, frame.sp,
		     frame.bp, frame.bx);
	}
	return true;
}

/* A program of few functions, each with one rule, and walks over its random stacks */
#define FUNCTIONS 12
#define DEPTH 24

struct walk {
	u32 nr, end;
	u64 zero;
	struct frame frames[DEPTH + 1]; /* the leaf first */
};

static u32 rules[FUNCTIONS];

static u32 random_rule(void)
{
	u32 n = 8 * (1 + random_below(6));
	u32 bp = random_one_in(2) ? 0 : -1 - random_below(5);
	u32 bx = random_one_in(2) ? 0 : -1 - random_below(5);

	switch (random_below(10)) {
	case 0:
		return UNWIND_RULE(OF(BP, n), bp, bx);
	case 1:
		return UNWIND_RULE(OF(BX, n), bp, bx);
	case 2:
		return UNWIND_RULE(OF(BP_DEREF, n),
				   random_one_in(2) ? PROFIL_ROW_AT_BP : bp,
				   bx);
	case 3:
		return UNWIND_BY_RBP;
	case 4:
		return UNWIND_RULE(OF(PLT, 64), 0, 0);
	case 5:
		return random_one_in(3) ?
			       UNWIND_RULE(OF(SIGNAL, 0), 0, 0) :
			       UNWIND_RULE(OF(SP, n), PROFIL_ROW_AT_BP, 0);
	default:
		return UNWIND_RULE(OF(SP, n), bp, bx);
	}
}

/* PCs are function << 4, and addresses of the stack; both may be in any word */
static u64 random_word(void)
{
	if (random_one_in(12))
		return 0;
	/* Two places in each function, one of them behind a call that is its first byte */
	return random_one_in(2) ? 16 + 8 * random_below(2 * FUNCTIONS) :
				  STACK + 8 * random_below(WORDS);
}

static bool set_rule(struct frame *frame)
{
	u64 nr = unwind_at(frame) >> 4;

	if (!nr || nr > FUNCTIONS)
		return false;
	frame->rule = rules[nr - 1];
	frame->flags |= profil_unwind_flags(frame->rule);
	return true;
}

static void walk_by_rules(struct walk *walk, const struct frame *leaf)
{
	memset(walk, 0, sizeof(*walk));
	walk->frames[0] = *leaf;
	walk->end = PROFIL_WALK_DEPTH;
	while (walk->nr < DEPTH) {
		struct frame *frame = &walk->frames[walk->nr];

		walk->end = PROFIL_WALK_UNMAPPED;
		if (!set_rule(frame))
			break;
		walk->end = unwind_step(frame, frame + 1, &walk->zero);
		walk->nr++;
		if (walk->end != UNWIND_CALLER)
			break;
		walk->end = PROFIL_WALK_DEPTH;
	}
}

/* What is remembered: the base first, behind a frame that is above all */
static struct frame kept[DEPTH + 1];

static void keep(const struct walk *walk)
{
	u32 caller = 0;

	kept[0].sp = U64_MAX;
	for (u32 i = 0; i < walk->nr; i++) {
		kept[i + 1] = walk->frames[walk->nr - 1 - i];
		kept[i + 1].flags = unwind_needs(&kept[i + 1], caller);
		caller = kept[i + 1].flags;
	}
}

/* May a walk that ended so be remembered? */
static bool is_kept(u32 end)
{
	return end == PROFIL_WALK_BASE || end == PROFIL_WALK_BAD ||
	       end == PROFIL_WALK_NO_ROWS;
}

/* @old: of the walk before, some frame of which may be where the leaf is now */
static void change_some(struct frame *leaf, const struct walk *old)
{
	u64 *registers[] = { &leaf->bp, &leaf->bx, &leaf->sp };
	const struct frame *at = &old->frames[random_below(old->nr + 1)];

	for (u64 n = random_below(4); n; n--)
		words[random_below(WORDS)] = random_word();
	if (random_one_in(2))
		*registers[random_below(3)] = STACK + 8 * random_below(WORDS);
	if (random_one_in(2))
		leaf->pc = random_word();
	if (random_one_in(4)) {
		leaf->pc = at->pc;
		leaf->sp = at->sp;
	}
}

static bool goes_by_rbp(const struct walk *walk, u32 from)
{
	u32 flags = 0;

	for (u32 i = from; i < walk->nr; i++)
		flags |= walk->frames[i].flags;
	return flags & FRAME_BY_RBP;
}

static u64 joined, refused;

/* Is the rest of @now what @old was from each frame on that is found to be the same? */
static bool agrees(const struct walk *old, const struct walk *now)
{
	for (u32 i = 0; i < now->nr; i++)
		for (u32 k = 1; k <= old->nr; k++) {
			if (!unwind_is(&kept[k], &now->frames[i]))
				continue;
			if (profil_unwind_compare(&kept[k], &kept[1],
						  old->zero) != &kept[0]) {
				refused++;
				continue;
			}
			joined++;
			CHECK_EQUAL(now->nr - i, k);
			CHECK_EQUAL(old->end, now->end);
			CHECK_EQUAL(goes_by_rbp(now, i),
				    !!(kept[k].flags & FRAME_BY_RBP));
			for (u32 j = 0; j < k; j++) {
				CHECK_EQUAL(kept[k - j].pc,
					    now->frames[i + j].pc);
				CHECK_EQUAL(kept[k - j].sp,
					    now->frames[i + j].sp);
			}
		}
	return true;
}

static bool remembers_right(void)
{
	static struct walk old, now;
	struct frame leaf = { .pc = random_word(),
			      .sp = STACK + 0x40,
			      .flags = FRAME_EXACT };

	for (size_t i = 0; i < FUNCTIONS; i++)
		rules[i] = random_rule();
	for (size_t i = 0; i < WORDS; i++)
		words[i] = random_word();
	leaf.bp = STACK + 8 * random_below(WORDS);
	leaf.bx = STACK + 8 * random_below(WORDS);
	walk_by_rules(&old, &leaf);
	if (!is_kept(old.end))
		return true;
	keep(&old);
	for (u32 i = 0; i < 8; i++) {
		change_some(&leaf, &old);
		walk_by_rules(&now, &leaf);
		CHECK(agrees(&old, &now));
	}
	return true;
}

TEST("a walk that trusts frames is one by rules alone")
{
	clear();
	is_step = false; /* a comparison may read what a step has read */
	for (u32 i = 0; i < 300000; i++)
		CASE(remembers_right(), "case %u", i);
	tap_note("%llu trusted, %llu not", joined, refused);
	CHECK_BETWEEN(10000, joined, ~0ULL);
	CHECK_BETWEEN(5000, refused, ~0ULL);
	return !escaped;
}
