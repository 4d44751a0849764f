// SPDX-License-Identifier: GPL-2.0-only
/*
 * The rule of the driver for the registers of an instruction
 *
 * The driver knows few ways to find the CFA, those that compilers, linkers and the C
 * library use. A rule stands for these alone: all other rules are refused.
 */
#include <dwarf.h>

#include "elf/frame_rule.h"

/* Words between a saved register and the CFA, at most; PROFIL_ROW_AT_BP is above them. */
#define MAX_WORDS 126

/*
 * rbx is lost, for the driver: its value would be the return address. No stack is there,
 * and a rule by rbx, which one function in ld.so has, ends the walk.
 */
#define BX_IS_LOST (-1)

static bool is_bytes(const struct cfa_expression *expression,
		     const uint8_t *bytes, size_t size)
{
	return expression->size == size && !memcmp(expression->at, bytes, size);
}

/* The address @expression is register @number plus *@offset; @is_loaded: the word there */
static bool is_register(const struct cfa_expression *expression,
			unsigned int number, bool is_loaded, int64_t *offset)
{
	struct cfa_bytes bytes = { expression->at,
				   expression->at + expression->size };

	if (profil_cfa_number(&bytes, 1) != DW_OP_breg0 + number)
		return false;
	*offset = profil_cfa_sleb(&bytes);
	if (is_loaded && profil_cfa_number(&bytes, 1) != DW_OP_deref)
		return false;
	return !bytes.is_wrong && bytes.at == bytes.end;
}

/* The register was saved at rsp plus @offset. */
static bool is_at_sp(const struct cfa_rule *rule, int64_t offset)
{
	int64_t its;

	return rule->saved == CFA_SAVED_AT &&
	       is_register(&rule->expression, CFA_DWARF_SP, false, &its) &&
	       its == offset;
}

/* Offsets in struct rt_sigframe, behind the address that a handler returns to */
#define SIGNAL_BP 120
#define SIGNAL_BX 128
#define SIGNAL_SP 160
#define SIGNAL_PC 168

/* All registers are in the frame that the kernel has made for a signal. */
static bool is_of_signal(const struct cfa_state *state)
{
	const struct cfa_rule *rules = state->rules;
	int64_t offset;

	return state->cfa_register == CFA_EXPRESSION &&
	       is_register(&state->cfa_expression, CFA_DWARF_SP, true,
			   &offset) &&
	       offset == SIGNAL_SP && is_at_sp(&rules[CFA_SP], SIGNAL_SP) &&
	       is_at_sp(&rules[CFA_BP], SIGNAL_BP) &&
	       is_at_sp(&rules[CFA_BX], SIGNAL_BX) &&
	       is_at_sp(&rules[CFA_RA], SIGNAL_PC);
}

/*
 * The expression of linkers for .plt: an entry of 16 bytes pushes a word by its first N
 * bytes. Store N.
 */
static bool is_of_plt(const struct cfa_expression *expression, int64_t *bytes)
{
	uint8_t usual[] = { DW_OP_breg7, 8,	      DW_OP_breg16,
			    0,		 DW_OP_lit15, DW_OP_and,
			    0,		 DW_OP_ge,    DW_OP_lit3,
			    DW_OP_shl,	 DW_OP_plus };

	if (expression->size != sizeof(usual))
		return false;
	usual[6] = expression->at[6];
	*bytes = usual[6] - DW_OP_lit0;
	return *bytes >= 0 && *bytes < 16 &&
	       is_bytes(expression, usual, sizeof(usual));
}

/* Kind of the rule for the CFA, and its @n; PROFIL_RULE_NONE: there is none. */
static unsigned int kind_of(const struct cfa_state *state, int64_t *n)
{
	*n = state->cfa_offset;
	switch (state->cfa_register) {
	case CFA_DWARF_SP:
		return *n > 0 ? PROFIL_RULE_SP : PROFIL_RULE_NONE;
	case CFA_DWARF_BP:
		return PROFIL_RULE_BP;
	case CFA_DWARF_BX:
		return PROFIL_RULE_BX;
	case CFA_EXPRESSION:
		break;
	default:
		return PROFIL_RULE_NONE;
	}
	if (is_register(&state->cfa_expression, CFA_DWARF_BP, true, n))
		return PROFIL_RULE_BP_DEREF;
	if (!is_of_plt(&state->cfa_expression, n))
		return PROFIL_RULE_NONE;
	*n *= 8;
	return PROFIL_RULE_PLT;
}

/* Words from the CFA to where @rule saved a register; 0 if a row cannot say it. */
static int8_t words_of(const struct cfa_rule *rule)
{
	uint32_t below = -(uint32_t)rule->offset;
	bool is_near = rule->saved == CFA_SAVED && below <= 8 * MAX_WORDS &&
		       !(below % 8);

	return is_near ? -(int)(below / 8) : 0;
}

/* Set where rbp was saved; false if a row cannot say it. */
static bool set_bp(struct profil_row *row, const struct cfa_rule *rule)
{
	int64_t offset;

	if (rule->saved == CFA_SAME)
		return true;
	row->bp = words_of(rule);
	if (rule->saved == CFA_SAVED_AT &&
	    is_register(&rule->expression, CFA_DWARF_BP, false, &offset) &&
	    !offset)
		row->bp = PROFIL_ROW_AT_BP;
	return row->bp;
}

static void set_bx(struct profil_row *row, const struct cfa_rule *rule)
{
	if (rule->saved != CFA_SAME)
		row->bx = words_of(rule) ?: BX_IS_LOST;
}

static bool is_behind_cfa(const struct cfa_state *state)
{
	const struct cfa_rule *address = &state->rules[CFA_RA];

	return address->saved == CFA_SAVED && address->offset == -8 &&
	       state->rules[CFA_SP].saved == CFA_SAME;
}

struct profil_row profil_frame_rule(const struct cfa_state *state,
				    bool is_signal)
{
	const struct profil_row none = { .rule = PROFIL_RULE_NONE };
	struct profil_row row = none;
	unsigned int kind;
	int64_t n;

	if (state->rules[CFA_RA].saved == CFA_UNDEFINED)
		return (struct profil_row){ .rule = PROFIL_RULE_END };
	if (is_signal)
		return (struct profil_row){ .rule = is_of_signal(state) ?
							    PROFIL_RULE_SIGNAL :
							    PROFIL_RULE_NONE };
	kind = kind_of(state, &n);
	if (kind == PROFIL_RULE_NONE || n % 8 || n != (int16_t)n ||
	    !is_behind_cfa(state) || !set_bp(&row, &state->rules[CFA_BP]))
		return none;
	row.rule = (uint16_t)n | kind;
	set_bx(&row, &state->rules[CFA_BX]);
	/* The driver takes no other rows of .plt. */
	if (kind == PROFIL_RULE_PLT && (row.bp || row.bx))
		return none;
	return row;
}
