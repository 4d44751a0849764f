// SPDX-License-Identifier: GPL-2.0-only
#include "walk_model.h"

#include <string.h>

#include "random.h"

#define WORDS 4096
#define PAGE_WORDS 512
#define NO_PAGE (WORDS / PAGE_WORDS)
#define MAX_CALLS 160

struct call {
	u32 function; /* of all texts */
	struct model_registers caller; /* when the call returns */
};

struct model_task {
	struct model_registers now; /* but for the PC */
	u32 depth, max_depth;
	u32 version; /* of the text and the rows that the frames are of */
	struct call calls[MAX_CALLS];
	u64 words[WORDS];
	u32 absent; /* a page that is not in memory; or behind all */
	u32 changed; /* a word that was changed, and will be @before again */
	u64 before;
};

static struct model_task tasks[MODEL_TASKS];
static u32 version; /* changes with text and rows */
static bool is_forged;

struct model_library model_libraries[MODEL_LIBRARIES];
struct model_text model_texts[MODEL_PROGRAMS][MODEL_TEXTS];

/* Two that touch, and others */
static const u64 starts[MODEL_TEXTS] = {
	0x400000,
	0x400000 + MODEL_TEXT_BYTES,
	0x7f1000000000,
	0x7f1000100000,
};

u32 model_program_of(u32 task)
{
	return task % MODEL_PROGRAMS;
}

static struct model_text *text_of(u32 task, u32 function)
{
	return &model_texts[model_program_of(task)][function / MODEL_FUNCTIONS];
}

static u32 random_function(void)
{
	return random_below(MODEL_TEXTS * MODEL_FUNCTIONS);
}

/* A PC of @function. That of a return address may be the first byte of the next one. */
static u64 random_pc(u32 function)
{
	static const u8 at[] = { 8, 24, 40, MODEL_FUNCTION_BYTES };

	return starts[function / MODEL_FUNCTIONS] +
	       function % MODEL_FUNCTIONS * MODEL_FUNCTION_BYTES +
	       at[random_below(sizeof(at))];
}

static u64 stack_of(u32 task)
{
	return 0x7ffc00000000 + task * 0x1000000;
}

bool model_word(u32 task, u64 at, bool present, u64 *value)
{
	u64 nr = (at - stack_of(task)) / 8;

	if (nr >= WORDS || (nr / PAGE_WORDS == tasks[task].absent && !present))
		return false;
	*value = tasks[task].words[nr];
	return true;
}

void model_use_stack(u32 task, u64 address)
{
	u64 page = (address - stack_of(task)) / 8 / PAGE_WORDS;

	if (page <= tasks[task].absent)
		tasks[task].absent = NO_PAGE;
}

/* The address of a word beside a CFA */
static u64 beside(u64 cfa, int words)
{
	return cfa + 8 * (long)words;
}

static void set_word(u32 task, u64 at, u64 value)
{
	tasks[task].words[(at - stack_of(task)) / 8 % WORDS] = value;
}

/* What may be in any word, so that one may be taken for another */
static u64 random_word(u32 task)
{
	switch (random_below(8)) {
	case 0:
		return 0;
	case 1:
		return random_u64();
	case 2:
		return is_forged ? MODEL_USER_END - random_below(64) :
				   random_below(64);
	case 3:
	case 4:
		return stack_of(task) + 8 * random_below(WORDS);
	default:
		return random_pc(random_function());
	}
}

/*
 * Rows
 */

#define RULE(kind, n) ((u16)(PROFIL_RULE_##kind | (u16)(n)))

/* Functions that compilers make, with sizes that are alike, and one whose hash is 0 */
static const struct profil_row usual[] = {
	{ 0, RULE(SP, 8), 0, 0 },	{ 0, RULE(SP, 32), 0, 0 },
	{ 0, RULE(SP, 32), 0, 0 },	{ 0, RULE(SP, 32), -2, 0 },
	{ 0, RULE(SP, 32), 0, -2 },	{ 0, RULE(SP, 32), -2, -3 },
	{ 0, RULE(SP, 48), -3, -4 },	{ 0, RULE(SP, 48), 0, 0 },
	{ 0, RULE(SP, 216), -27, -25 }, { 0, RULE(BP, 16), -2, 0 },
	{ 0, RULE(BP, 16), -2, -3 },	{ 0, RULE(BX, 24), 0, -3 },
	{ 0, RULE(BX, 24), -2, -3 },	{ 0, RULE(BP_DEREF, -8), 127, 0 },
	{ 0, RULE(SP, 48), 127, 0 },	{ 0, RULE(PLT, 88), 0, 0 },
	{ 0, RULE(SIGNAL, 0), 0, 0 },	{ 0, RULE(END, 0), 0, 0 },
	{ 0, RULE(NONE, 0), 0, 0 },	{ 0, RULE(NONE, 8), 0, 0 },
};

/* Any that the driver takes */
static struct profil_row forged_row(void)
{
	struct profil_row row = { .rule = random_u64() };
	u32 kind = PROFIL_RULE_KIND(row.rule);

	if (random_one_in(2))
		row.rule = kind | 8 * random_below(16);
	if (kind == PROFIL_RULE_PLT)
		row.rule = kind | 8 * random_below(16);
	if (kind == PROFIL_RULE_END || kind == PROFIL_RULE_SIGNAL)
		row.rule = kind;
	if (kind == PROFIL_RULE_NONE)
		row.rule = random_one_in(4) ? 0 : PROFIL_RULE_BY_RBP;
	if (kind == PROFIL_RULE_SP && PROFIL_RULE_N(row.rule) <= 0)
		row.rule = kind | 16;
	if (kind != PROFIL_RULE_SP && kind != PROFIL_RULE_BP &&
	    kind != PROFIL_RULE_BX && kind != PROFIL_RULE_BP_DEREF)
		return row;
	row.bp = random_one_in(4) ? PROFIL_ROW_AT_BP : -random_below(129);
	row.bx = random_one_in(2) ? 0 : -random_below(129);
	return row;
}

/* The last ones are memory and a file without rows. */
void model_change_rows(struct model_library *library)
{
	u32 nr = library - model_libraries, i;

	version++;
	library->is_file = nr < MODEL_LIBRARIES - 2;
	for (i = 0; i < MODEL_FUNCTIONS; i++) {
		struct profil_row *row = &library->rows[i];

		*row = usual[random_below(ARRAY_LENGTH(usual))];
		/* What ends each walk is in few functions. */
		if (!random_one_in(24) && !PROFIL_RULE_N(row->rule))
			*row = usual[random_below(8)];
		if (is_forged)
			*row = forged_row();
		if (!library->is_file)
			*row = usual[ARRAY_LENGTH(usual) - 1 -
				     (nr == MODEL_LIBRARIES - 1)];
		row->offset = 0x1000 * nr + i * MODEL_FUNCTION_BYTES;
	}
}

static void map(u32 program, u32 at, const struct model_library *library)
{
	u32 nr = library - model_libraries;

	model_texts[program][at] = (struct model_text){
		.start = starts[at],
		.library = library,
		.id = 1 + program * MODEL_LIBRARIES + nr,
		/* All of memory is one place. */
		.mask = nr == MODEL_LIBRARIES - 2 ? 0 : ~0U,
	};
}

void model_change_texts(u32 program)
{
	u32 at = 1 + random_below(MODEL_TEXTS - 1);
	u32 nr = random_below(MODEL_LIBRARIES - !random_one_in(8));
	static u32 holes[MODEL_PROGRAMS];

	version++;
	/* One without text at a time */
	map(program, holes[program], &model_libraries[holes[program]]);
	map(program, at, &model_libraries[nr]);
	if (random_one_in(8)) {
		holes[program] = at;
		model_texts[program][at].library = NULL;
	}
}

/*
 * Calls
 */

static u64 top_of(u32 task)
{
	return stack_of(task) + 8 * (WORDS - 16);
}

static void reset(u32 task)
{
	struct model_task *it = &tasks[task];

	it->depth = 0;
	it->now.sp = top_of(task) - 16 * random_below(3);
	it->now.bp = random_one_in(3) ? 0 : random_word(task);
	it->now.bx = random_word(task);
}

void model_begin(bool forged)
{
	static const u8 depths[] = { MAX_CALLS, 90, 40, 12 };
	u32 i;

	is_forged = forged;
	for (i = 0; i < MODEL_LIBRARIES; i++)
		model_change_rows(&model_libraries[i]);
	for (i = 0; i < MODEL_PROGRAMS * MODEL_TEXTS; i++)
		map(i % MODEL_PROGRAMS, i / MODEL_PROGRAMS,
		    &model_libraries[i / MODEL_PROGRAMS]);
	for (i = 0; i < MODEL_TASKS; i++) {
		tasks[i].absent = NO_PAGE;
		tasks[i].changed = WORDS;
		tasks[i].max_depth = depths[i / 3];
		reset(i);
	}
}

static void push_signal(u32 task, u64 pc)
{
	struct model_registers *now = &tasks[task].now;
	u64 at = now->sp - 8 * 24;

	/* Some handlers have a stack of their own, above or below all. */
	if (random_one_in(4))
		at = random_one_in(2) ? top_of(task) - 8 * 256 :
					stack_of(task) + 8 * 512;
	set_word(task, at + 8 * 15, now->bp);
	set_word(task, at + 8 * 16, now->bx);
	set_word(task, at + 8 * 20, now->sp);
	set_word(task, at + 8 * 21, pc);
	now->sp = at;
}

/* The frame of a function with @row, where @now is as its caller left it */
static void push_frame(u32 task, const struct profil_row *row, u64 cfa)
{
	struct model_registers *now = &tasks[task].now, caller = *now;
	bool by_rbp = row->rule == PROFIL_RULE_BY_RBP;
	s16 n = by_rbp ? 16 : PROFIL_RULE_N(row->rule);
	s8 bp = by_rbp ? -2 : row->bp;

	now->sp = cfa - 16;
	if (row->bx)
		now->bx = random_word(task);
	if (bp)
		now->bp = cfa - 32;
	switch (PROFIL_RULE_KIND(row->rule)) {
	case PROFIL_RULE_SP:
		now->sp = cfa - n;
		if (bp && bp != PROFIL_ROW_AT_BP)
			now->bp = random_word(task);
		break;
	case PROFIL_RULE_NONE:
	case PROFIL_RULE_BP:
		now->bp = cfa - n;
		now->sp = cfa - 32 - 16 * random_below(3);
		break;
	case PROFIL_RULE_BX:
		now->bx = cfa - n;
		now->sp = cfa - 32 - 16 * random_below(2);
		break;
	case PROFIL_RULE_BP_DEREF:
		set_word(task, now->bp + n, cfa);
		now->sp = now->bp - 16;
		break;
	case PROFIL_RULE_PLT:
		now->sp = cfa - 8;
		break;
	}
	if (bp)
		set_word(task,
			 bp == PROFIL_ROW_AT_BP ? now->bp : beside(cfa, bp),
			 caller.bp);
	if (row->bx)
		set_word(task, beside(cfa, row->bx), caller.bx);
}

/* Call @function from @site, 0 for the outermost one. */
static void push(u32 task, u32 function, u64 site)
{
	struct model_task *it = &tasks[task];
	const struct model_text *text = text_of(task, function);
	const struct profil_row *row =
		text->library ?
			&text->library->rows[function % MODEL_FUNCTIONS] :
			&usual[0];

	if (it->depth >= it->max_depth ||
	    it->now.sp < stack_of(task) + 8 * 256 || it->now.sp > top_of(task))
		return;
	it->calls[it->depth] =
		(struct call){ .function = function, .caller = it->now };
	it->calls[it->depth++].caller.pc = site;
	if (PROFIL_RULE_KIND(row->rule) == PROFIL_RULE_SIGNAL) {
		push_signal(task, site);
		return;
	}
	set_word(task, it->now.sp - 8, site);
	push_frame(task, row, it->now.sp);
}

static void pop(u32 task)
{
	struct model_task *it = &tasks[task];

	if (it->depth)
		it->now = it->calls[--it->depth].caller;
}

static void push_random(u32 task)
{
	struct model_task *it = &tasks[task];
	u64 site = it->depth ? random_pc(it->calls[it->depth - 1].function) : 0;

	push(task, random_function(), site);
}

/* Make the last @nr calls again, at the same places; by another function if @is_other. */
static void call_again(u32 task, u32 nr, bool is_other)
{
	static struct call above[MAX_CALLS];
	struct model_task *it = &tasks[task];
	u32 i;

	if (nr > it->depth)
		nr = it->depth;
	for (i = 0; i < nr; i++) {
		above[i] = it->calls[it->depth - 1];
		pop(task);
	}
	if (is_other && nr)
		above[nr - 1].function = random_function();
	else if (random_one_in(2))
		it->now.bx = random_word(task);
	while (nr--)
		push(task, above[nr].function, above[nr].caller.pc);
}

/* Change a word that the last walk depended on, for some time. */
static void change_word(u32 task, const struct model_walk *last)
{
	struct model_task *it = &tasks[task];
	u64 at;

	if (!last->nr_words || it->changed < WORDS)
		return;
	at = last->words[random_below(last->nr_words)];
	at = (at - stack_of(task)) / 8;
	if (at >= WORDS)
		return;
	it->changed = at;
	it->before = it->words[at];
	it->words[at] = random_one_in(2) ? random_word(task) :
					   it->before + 8 * random_below(8);
	if (random_one_in(8))
		it->absent = at / PAGE_WORDS;
}

static void restore(u32 task)
{
	struct model_task *it = &tasks[task];

	if (it->changed < WORDS)
		it->words[it->changed] = it->before;
	it->changed = WORDS;
	it->absent = NO_PAGE;
}

static void forge(u32 task)
{
	struct model_task *it = &tasks[task];
	u32 nr = random_one_in(64) ? WORDS : random_below(4);

	while (nr--) {
		u64 word = random_word(task);

		it->words[random_below(WORDS)] = word;
	}
	it->now.sp = stack_of(task) + 8 * random_below(WORDS);
	it->now.bp = random_word(task);
	it->now.bx = random_word(task);
	it->depth = 0;
}

void model_run(u32 task, const struct model_walk *last)
{
	struct model_task *it = &tasks[task];
	u32 nr = random_below(random_one_in(16) ? MAX_CALLS : 4);
	bool returns = random_one_in(2); /* or calls */

	if (random_one_in(2))
		restore(task);
	/* Frames of former functions stay for a while. */
	if (it->version != version && random_one_in(4)) {
		it->version = version;
		call_again(task, MAX_CALLS, false);
	}
	switch (random_below(8)) {
	case 0:
		nr = 1 + random_below(random_one_in(8) ? MAX_CALLS : 6);
		call_again(task, nr, returns);
		break;
	case 1:
		change_word(task, last);
		break;
	case 2:
	case 3:
		break; /* sampled where it was */
	default:
		while (nr--)
			if (returns)
				pop(task);
			else
				push_random(task);
	}
	if (is_forged && random_one_in(4))
		forge(task);
	if (random_one_in(400))
		reset(task);
	if (!it->depth)
		push_random(task);
}

struct model_registers model_sample(u32 task)
{
	const struct model_task *it = &tasks[task];
	struct model_registers regs = it->now;
	u32 function = it->depth ? it->calls[it->depth - 1].function :
				   random_function();

	regs.pc = random_pc(function);
	if (random_one_in(2))
		regs.pc -= 4;
	if (random_one_in(32))
		regs.pc = random_word(task);
	if (random_one_in(32))
		regs.bp = random_word(task);
	if (random_one_in(32))
		regs.bx = random_word(task);
	return regs;
}
