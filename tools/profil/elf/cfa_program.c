// SPDX-License-Identifier: GPL-2.0-only
/*
 * Programs of call frame information
 *
 * The instructions are those of DWARF 5, section 6.4.2, and those of GNU. A program with
 * another one, or one that is not right, ends there.
 */
#include <dwarf.h>
#include <elf.h>

#include "elf/cfa_program.h"

/* The two highest bits of an instruction that has an operand in the others */
#define HIGH_BITS 0xc0
#define LOW_BITS 0x3f

/* Store in @bits the bits that the number has. More than 64 are wrong. */
static uint64_t read_leb(struct cfa_bytes *bytes, unsigned int *bits,
			 uint8_t *last)
{
	uint64_t number = 0;

	*bits = 0;
	do {
		*last = profil_cfa_number(bytes, 1);
		if (*bits >= 64)
			bytes->is_wrong = true;
		else
			number |= (uint64_t)(*last & 0x7f) << *bits;
		*bits += 7;
	} while (*last & 0x80 && !bytes->is_wrong);
	return number;
}

uint64_t profil_cfa_long_uleb(struct cfa_bytes *bytes)
{
	unsigned int bits;
	uint8_t last;

	return read_leb(bytes, &bits, &last);
}

int64_t profil_cfa_sleb(struct cfa_bytes *bytes)
{
	unsigned int bits;
	uint8_t last;
	uint64_t number = read_leb(bytes, &bits, &last);

	if (bits < 64 && last & 0x40)
		number |= UINT64_MAX << bits;
	return number;
}

static struct cfa_expression read_expression(struct cfa_bytes *bytes)
{
	uint64_t size = profil_cfa_uleb(bytes);
	const uint8_t *at = profil_cfa_skip(bytes, size);

	return (struct cfa_expression){ at, at ? size : 0 };
}

/* The caller's rbx, which no register of arm64 is like, is not read there. */
#define NO_REGISTER 0xff

const struct cfa_machine profil_cfa_x86_64 = { EM_X86_64,
					       { CFA_DWARF_BX, CFA_DWARF_BP,
						 CFA_DWARF_SP, 16 } };

const struct cfa_machine profil_cfa_arm64 = { EM_AARCH64,
					      { NO_REGISTER, 29, 31, 30 } };

/* Index of the rule of the register @number of DWARF, or CFA_REGISTERS */
static enum cfa_register register_of(const struct cfa_program *program,
				     uint64_t number)
{
	const uint8_t *registers = program->machine->registers;
	enum cfa_register it = 0;

	while (it < CFA_REGISTERS && registers[it] != number)
		it++;
	return it;
}

static void set_rule(struct cfa_program *program, uint64_t number,
		     struct cfa_rule rule)
{
	enum cfa_register it = register_of(program, number);

	if (it != CFA_REGISTERS)
		program->state.rules[it] = rule;
}

/* An offset of @units; one of more than 32 bits is none of a stack. */
static int32_t offset_of(struct cfa_program *program, int64_t units)
{
	int64_t offset;

	if (__builtin_mul_overflow(units, program->data, &offset) ||
	    offset != (int32_t)offset) {
		program->bytes.is_wrong = true;
		offset = 0;
	}
	return offset;
}

static void set_saved(struct cfa_program *program, uint64_t number,
		      int64_t units)
{
	enum cfa_register it = register_of(program, number);

	if (it == CFA_REGISTERS)
		return;
	program->has_new_rules = true;
	program->state.rules[it].saved = CFA_SAVED;
	program->state.rules[it].offset = offset_of(program, units);
}

static void restore(struct cfa_program *program, uint64_t number)
{
	enum cfa_register it = register_of(program, number);

	if (it == CFA_REGISTERS)
		return;
	program->has_new_rules = true;
	program->state.rules[it] = program->first ? program->first->rules[it] :
						    (struct cfa_rule){ 0 };
}

static void remember(struct cfa_program *program)
{
	if (program->nr_remembered < CFA_REMEMBERED)
		program->remembered[program->nr_remembered++] = program->state;
	else
		program->bytes.is_wrong = true;
}

static void recall(struct cfa_program *program)
{
	program->has_new_rules = true;
	if (program->nr_remembered)
		program->state = program->remembered[--program->nr_remembered];
	else
		program->bytes.is_wrong = true;
}

/* The register stays, so there must be one. */
static void set_cfa_offset(struct cfa_program *program, int64_t offset)
{
	program->bytes.is_wrong |= program->state.cfa_register >=
				   CFA_EXPRESSION;
	program->state.cfa_offset = offset;
}

static void set_cfa_register(struct cfa_program *program, uint64_t number)
{
	program->bytes.is_wrong |= number >= CFA_EXPRESSION;
	program->state.cfa_register = number;
}

/* Instructions that define the CFA; false if @op is none */
static bool define_cfa(struct cfa_program *program, uint8_t op)
{
	struct cfa_bytes *bytes = &program->bytes;
	struct cfa_state *state = &program->state;

	if (op == DW_CFA_def_cfa || op == DW_CFA_def_cfa_sf)
		set_cfa_register(program, profil_cfa_uleb(bytes));
	switch (op) {
	case DW_CFA_def_cfa:
		set_cfa_offset(program, profil_cfa_uleb(bytes));
		return true;
	case DW_CFA_def_cfa_sf:
	case DW_CFA_def_cfa_offset_sf:
		set_cfa_offset(program,
			       offset_of(program, profil_cfa_sleb(bytes)));
		return true;
	case DW_CFA_def_cfa_register:
		set_cfa_offset(program, state->cfa_offset);
		set_cfa_register(program, profil_cfa_uleb(bytes));
		return true;
	case DW_CFA_def_cfa_expression:
		state->cfa_expression = read_expression(bytes);
		state->cfa_register = CFA_EXPRESSION;
		return true;
	}
	return false;
}

static bool is_sp(const struct cfa_program *program, uint64_t number)
{
	return number == program->machine->registers[CFA_SP];
}

/* A value that is the CFA is the default of the stack pointer. */
static void set_value(struct cfa_program *program, uint64_t number,
		      int64_t units)
{
	bool is_cfa = is_sp(program, number) && !offset_of(program, units);

	set_rule(program, number,
		 (struct cfa_rule){ .saved = is_cfa ? CFA_SAME : CFA_OTHER });
}

/* Instructions with a register for their first operand; false if @op is none */
static bool define_register(struct cfa_program *program, uint8_t op)
{
	struct cfa_bytes *bytes = &program->bytes;
	struct cfa_rule rule = { .saved = CFA_OTHER };
	uint64_t number = profil_cfa_uleb(bytes);

	switch (op) {
	case DW_CFA_offset_extended:
		set_saved(program, number, profil_cfa_uleb(bytes));
		return true;
	case DW_CFA_offset_extended_sf:
		set_saved(program, number, profil_cfa_sleb(bytes));
		return true;
	case DW_CFA_val_offset:
		set_value(program, number, profil_cfa_uleb(bytes));
		return true;
	case DW_CFA_val_offset_sf:
		set_value(program, number, profil_cfa_sleb(bytes));
		return true;
	case DW_CFA_restore_extended:
		restore(program, number);
		return true;
	case DW_CFA_undefined:
		rule.saved = CFA_UNDEFINED;
		break;
	case DW_CFA_same_value:
		/* Of the stack pointer, the default is the CFA. */
		rule.saved = is_sp(program, number) ? CFA_OTHER : CFA_SAME;
		break;
	case DW_CFA_register:
		profil_cfa_uleb(bytes);
		break;
	case DW_CFA_expression:
		rule.saved = CFA_SAVED_AT;
		rule.expression = read_expression(bytes);
		break;
	case DW_CFA_val_expression:
		read_expression(bytes);
		break;
	default:
		return false;
	}
	set_rule(program, number, rule);
	return true;
}

/* Run an instruction that has no operand in its low bits, and store what it advances. */
static void run(struct cfa_program *program, uint8_t op, uint64_t *step)
{
	struct cfa_bytes *bytes = &program->bytes;

	switch (op) {
	case DW_CFA_nop:
		break;
	case DW_CFA_advance_loc1:
		*step = profil_cfa_number(bytes, 1);
		break;
	case DW_CFA_advance_loc2:
		*step = profil_cfa_number(bytes, 2);
		break;
	case DW_CFA_advance_loc4:
		*step = profil_cfa_number(bytes, 4);
		break;
	case DW_CFA_remember_state:
		remember(program);
		break;
	case DW_CFA_restore_state:
		recall(program);
		break;
	case DW_CFA_GNU_args_size:
		profil_cfa_uleb(bytes);
		break;
	case DW_CFA_GNU_window_save:
		/* Of arm64 it says that the return address is signed from here on. */
		bytes->is_wrong |= program->machine != &profil_cfa_arm64;
		break;
	default:
		program->has_new_rules = true;
		bytes->is_wrong |= !define_cfa(program, op) &&
				   !define_register(program, op);
	}
}

void profil_cfa_begin(struct cfa_program *program)
{
	program->nr_remembered = 0;
	program->has_new_rules = true;
	program->state = program->first ? *program->first :
					  (struct cfa_state){ CFA_NONE };
}

uint64_t profil_cfa_advance(struct cfa_program *program)
{
	struct cfa_bytes *bytes = &program->bytes;
	uint64_t step = 0;
	uint8_t op;

	program->has_new_rules = false;
	/* Compilers use the first four instructions most. */
	while (bytes->at < bytes->end && !step) {
		op = *bytes->at++;
		if ((op & HIGH_BITS) == DW_CFA_advance_loc)
			step = op & LOW_BITS;
		else if (op == DW_CFA_def_cfa_offset)
			set_cfa_offset(program, profil_cfa_uleb(bytes));
		else if ((op & HIGH_BITS) == DW_CFA_offset)
			set_saved(program, op & LOW_BITS,
				  profil_cfa_uleb(bytes));
		else if ((op & HIGH_BITS) == DW_CFA_restore)
			restore(program, op & LOW_BITS);
		else
			run(program, op, &step);
	}
	if (bytes->is_wrong ||
	    __builtin_mul_overflow(step, program->code, &step))
		step = 0;
	return step;
}
