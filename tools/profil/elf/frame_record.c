// SPDX-License-Identifier: GPL-2.0-only
#include "elf/frame_record.h"

#define NOP 0xd503201f

/* stp x29, x30, [sp, #n], or [sp, #n]! */
#define STORE 0xa9007bfd
#define STORE_MASK 0xff407fff

/* add x29, sp, #n, which is mov x29, sp for 0 */
#define SET 0x910003fd
#define SET_MASK 0xffc003ff

/* Instructions from where .eh_frame has the record to where x29 is set, at most */
#define MOST_BETWEEN 32

static uint32_t instruction_at(const uint8_t *code)
{
	uint32_t instruction;

	memcpy(&instruction, code, sizeof(instruction));
	return instruction;
}

/* gcc says where the record is as soon as it is stored, and clang when all registers are. */
uint64_t profil_frame_record_from(const uint8_t *file, uint64_t begin,
				  uint64_t at, uint64_t end)
{
	const unsigned int each = sizeof(uint32_t);
	uint64_t last = lesser(end, at + MOST_BETWEEN * each);
	bool is_stored = false;

	for (; begin + each <= last; begin += each) {
		uint32_t instruction = instruction_at(file + begin);

		if (is_stored && (instruction & SET_MASK) == SET)
			return begin + each > at ? begin + each : at;
		if ((instruction & STORE_MASK) == STORE)
			is_stored = begin < at;
	}
	return is_stored ? UINT64_MAX : at;
}

static bool is_record(const struct cfa_rule *bp, const struct cfa_rule *address)
{
	return bp->saved == CFA_SAVED && address->saved == CFA_SAVED &&
	       (int64_t)address->offset - bp->offset == 8;
}

struct profil_row profil_frame_record(const struct cfa_state *state,
				      bool is_signal)
{
	const struct cfa_rule *bp = &state->rules[CFA_BP];
	const struct cfa_rule *address = &state->rules[CFA_RA];
	struct profil_row row = { .rule = PROFIL_RULE_NONE };

	if (address->saved == CFA_UNDEFINED) {
		row.rule = PROFIL_RULE_END;
	} else if (is_signal) {
		row.rule = PROFIL_RULE_BY_RBP;
	} else if (bp->saved == CFA_SAME && address->saved == CFA_SAME) {
		row.rule = PROFIL_RULE_LR;
	} else if (is_record(bp, address)) {
		row.rule = PROFIL_RULE_RECORD;
		row.bp = -2;
	}
	return row;
}

bool profil_is_padding_of_arm64(const uint8_t *code, size_t size)
{
	for (; size >= 4; code += 4, size -= 4) {
		uint32_t instruction = instruction_at(code);

		if (instruction && instruction != NOP)
			return false;
	}
	return !size;
}
