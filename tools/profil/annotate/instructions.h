/* SPDX-License-Identifier: GPL-2.0-only */
/* Machine code and instructions of the functions in a profile */
#ifndef PROFIL_INSTRUCTIONS_H
#define PROFIL_INSTRUCTIONS_H

#include "elf/symbols.h"

/*
 * An instruction with its link-time address and its bytes. @text: mnemonic and operands,
 * or bytes
 */
struct instruction {
	uint64_t address;
	uint32_t size;
	char text[96];
};

/*
 * Machine code of one function at a time, or of PROFILE_NONE: its bytes, or NULL, and
 * its instructions, ascending by address; none if they are not known. @symbols: its
 * file, or NULL if the profile has the code
 */
struct instructions {
	const struct profile *profile;
	uint32_t function;
	const uint8_t *bytes;
	struct symbols *symbols;
	struct instruction *array;
	size_t nr;
};

/* Forget the code. */
void profil_instructions_end(struct instructions *code);

/*
 * Read the code of @function from the profile, or from its file if that has the
 * build ID of the file that was profiled. Without code, @code->bytes is NULL.
 */
void profil_instructions_read(struct instructions *code, uint32_t function);

/*
 * Text of the instruction of @function at @address; its bytes if there is no
 * disassembler, and "" without code. It is valid until the next call.
 */
const char *profil_instructions_text(struct instructions *code,
				     uint32_t function, uint64_t address);

#endif
