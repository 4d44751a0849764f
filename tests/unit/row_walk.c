// SPDX-License-Identifier: GPL-2.0-only
/* The walk by rows alone: no code of src/, and nothing is remembered. */
#include "walk_model.h"

#include <string.h>

#define GOES_ON PROFIL_NR_WALKS

/* The frame that a walk has reached */
struct place {
	struct model_registers regs;
	bool is_exact; /* no call is before the PC */
	u32 task;
	bool present; /* all pages of @task are in memory */
	struct model_walk *walk;
};

static bool read_word(struct place *place, u64 at, u64 *value)
{
	struct model_walk *walk = place->walk;

	walk->words[walk->nr_words++] = at;
	return model_word(place->task, at, place->present, value);
}

static bool read_signal(struct place *place)
{
	u64 at = place->regs.sp;

	place->is_exact = true;
	return read_word(place, at + 8 * 15, &place->regs.bp) &&
	       read_word(place, at + 8 * 16, &place->regs.bx) &&
	       read_word(place, at + 8 * 20, &place->regs.sp) &&
	       read_word(place, at + 8 * 21, &place->regs.pc);
}

/* The CFA, of a rule that has one. False at a word that is not there */
static bool find_cfa(struct place *place, u16 rule, u64 *cfa)
{
	const struct model_registers *regs = &place->regs;
	s64 n = PROFIL_RULE_N(rule);

	switch (PROFIL_RULE_KIND(rule)) {
	case PROFIL_RULE_SP:
		*cfa = regs->sp + n;
		return true;
	case PROFIL_RULE_BP:
		*cfa = regs->bp + n;
		return true;
	case PROFIL_RULE_BX:
		*cfa = regs->bx + n;
		return true;
	case PROFIL_RULE_PLT:
		*cfa = regs->sp + 8 + 8 * ((s64)(regs->pc & 15) >= n / 8);
		return true;
	default:
		return read_word(place, regs->bp + n, cfa);
	}
}

/* The caller, or how the walk ends */
static u32 step(struct place *place, struct profil_row row)
{
	struct model_registers *regs = &place->regs, caller = *regs;

	if (row.bp == PROFIL_ROW_AT_BP &&
	    !read_word(place, regs->bp, &caller.bp))
		return PROFIL_WALK_FAULT;
	switch (PROFIL_RULE_KIND(row.rule)) {
	case PROFIL_RULE_END:
		return PROFIL_WALK_BASE;
	case PROFIL_RULE_SIGNAL:
		return read_signal(place) ? GOES_ON : PROFIL_WALK_FAULT;
	case PROFIL_RULE_NONE:
		if (!row.rule)
			return PROFIL_WALK_NO_ROWS;
		if (!regs->bp)
			return PROFIL_WALK_BASE;
		if (regs->bp % 8 || regs->bp < regs->sp)
			return PROFIL_WALK_BAD;
		row = (struct profil_row){ .rule = PROFIL_RULE_BP | 16,
					   .bp = -2 };
	}
	if (!find_cfa(place, row.rule, &caller.sp))
		return PROFIL_WALK_FAULT;
	if (caller.sp <= regs->sp)
		return PROFIL_WALK_BAD;
	if (!read_word(place, caller.sp - 8, &caller.pc) ||
	    (row.bp < 0 &&
	     !read_word(place, caller.sp + 8 * (long)row.bp, &caller.bp)) ||
	    (row.bx &&
	     !read_word(place, caller.sp + 8 * (long)row.bx, &caller.bx)))
		return PROFIL_WALK_FAULT;
	place->regs = caller;
	place->is_exact = false;
	return caller.pc ? GOES_ON : PROFIL_WALK_BASE;
}

/* What is mapped at @at, or NULL */
static const struct model_text *find_text(u32 task, u64 at)
{
	for (u32 i = 0; i < MODEL_TEXTS; i++) {
		const struct model_text *text =
			&model_texts[model_program_of(task)][i];

		if (text->library && at >= text->start &&
		    at < text->start + MODEL_TEXT_BYTES)
			return text;
	}
	return NULL;
}

void model_walk(u32 task, const struct model_registers *regs, bool present,
		struct model_walk *walk)
{
	struct place place = { .regs = *regs,
			       .is_exact = true,
			       .task = task,
			       .present = present,
			       .walk = walk };
	u32 end = GOES_ON;

	walk->nr = 0;
	walk->nr_words = 0;
	walk->by_rbp = false;
	while (end == GOES_ON && walk->nr < MODEL_MAX_FRAMES) {
		u64 at = place.regs.pc - !place.is_exact;
		const struct model_text *text = find_text(task, at);
		const struct profil_row *row;

		end = PROFIL_WALK_UNMAPPED;
		if (!text)
			break;
		at -= text->start;
		row = &text->library->rows[at / MODEL_FUNCTION_BYTES];
		walk->keys[walk->nr++] =
			(u64)text->id << 32 |
			(text->library->rows[0].offset + (at & text->mask));
		walk->by_rbp |= row->rule == PROFIL_RULE_BY_RBP;
		end = step(&place, *row);
	}
	walk->end = end == GOES_ON ? PROFIL_WALK_DEPTH : end;
}
