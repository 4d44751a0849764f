/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Programs of call frame information
 *
 * .eh_frame has a program for each function, which says where the registers of the
 * caller are at each of its instructions. Of these rbx, the frame pointer, the stack
 * pointer and the return address are of interest.
 */
#ifndef PROFIL_ELF_CFA_PROGRAM_H
#define PROFIL_ELF_CFA_PROGRAM_H

#include "util/base.h"

/* Bytes of a file that are read; after a failed read @is_wrong, and zeros follow. */
struct cfa_bytes {
	const uint8_t *at;
	const uint8_t *end;
	bool is_wrong;
};

/* Leave out @size bytes; the first one, or NULL if there are fewer. */
static inline const uint8_t *profil_cfa_skip(struct cfa_bytes *bytes,
					     uint64_t size)
{
	const uint8_t *at = bytes->at;

	if (size > (uint64_t)(bytes->end - at)) {
		bytes->is_wrong = true;
		bytes->at = bytes->end;
		return NULL;
	}
	bytes->at += size;
	return at;
}

/* A number of @size bytes, up to 8, the lowest first */
static inline uint64_t profil_cfa_number(struct cfa_bytes *bytes, size_t size)
{
	const uint8_t *at = profil_cfa_skip(bytes, size);
	uint64_t number = 0;

	if (at)
		memcpy(&number, at, size);
	return number;
}

uint64_t profil_cfa_long_uleb(struct cfa_bytes *bytes);

/* Most numbers have one byte. */
static inline uint64_t profil_cfa_uleb(struct cfa_bytes *bytes)
{
	if (bytes->at < bytes->end && *bytes->at < 0x80)
		return *bytes->at++;
	return profil_cfa_long_uleb(bytes);
}

int64_t profil_cfa_sleb(struct cfa_bytes *bytes);

/* A DWARF expression */
struct cfa_expression {
	const uint8_t *at;
	size_t size;
};

/* Registers of interest */
enum cfa_register { CFA_BX, CFA_BP, CFA_SP, CFA_RA, CFA_REGISTERS };

/*
 * A machine
 * @elf: its number in ELF
 * @registers: numbers of the registers in DWARF
 */
struct cfa_machine {
	uint16_t elf;
	uint8_t registers[CFA_REGISTERS];
};

extern const struct cfa_machine profil_cfa_x86_64, profil_cfa_arm64;

/**
 * enum cfa_saved - where the caller's value of a register is
 * @CFA_SAME: in the register; of rsp, it is the CFA
 * @CFA_SAVED: in memory at the CFA plus @offset
 * @CFA_SAVED_AT: in memory at the address of @expression
 * @CFA_UNDEFINED: it is lost; of the return address, there is no caller
 * @CFA_OTHER: elsewhere
 */
enum cfa_saved {
	CFA_SAME,
	CFA_SAVED,
	CFA_SAVED_AT,
	CFA_UNDEFINED,
	CFA_OTHER,
};

struct cfa_rule {
	enum cfa_saved saved;
	int32_t offset;
	struct cfa_expression expression;
};

/*
 * Rules of one instruction
 * @cfa_register: the CFA is this register, by its number in DWARF, plus @cfa_offset; or
 *	CFA_NONE; or the value of @cfa_expression, for CFA_EXPRESSION
 */
struct cfa_state {
	uint64_t cfa_register;
	int64_t cfa_offset;
	struct cfa_expression cfa_expression;
	struct cfa_rule rules[CFA_REGISTERS];
};

/* Numbers of x86-64 in DWARF */
#define CFA_DWARF_BX 3
#define CFA_DWARF_BP 6
#define CFA_DWARF_SP 7
#define CFA_NONE UINT64_MAX
#define CFA_EXPRESSION (UINT64_MAX - 1)

/* Rules that a program may remember at a time; compilers use one or two. */
#define CFA_REMEMBERED 16

/*
 * A program that runs; profil_cfa_begin() sets what follows the first five members
 * @bytes: its instructions, of which @bytes.is_wrong if one is not known or not right
 * @code: unit of addresses
 * @data: unit of offsets
 * @first: rules at the beginning, or NULL for the default
 * @machine: that it is for
 * @has_new_rules: more than the offset of the CFA is not as it was before the last advance
 * @state: rules now
 */
struct cfa_program {
	struct cfa_bytes bytes;
	uint64_t code;
	int64_t data;
	const struct cfa_state *first;
	const struct cfa_machine *machine;
	bool has_new_rules;
	struct cfa_state state;
	struct cfa_state remembered[CFA_REMEMBERED];
	uint32_t nr_remembered;
};

void profil_cfa_begin(struct cfa_program *program);

/*
 * Run up to the next address; the bytes of code up to it, for which the state holds. 0 at
 * the end, or if the program is wrong
 */
uint64_t profil_cfa_advance(struct cfa_program *program);

#endif
