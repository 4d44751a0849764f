/* SPDX-License-Identifier: GPL-2.0-only */
/* Machine code, instructions and short names of the functions in a profile */
#ifndef PROFIL_ANNOTATE_CODE_H
#define PROFIL_ANNOTATE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "elf/symbols.h"
#include "profile/profile.h"

/**
 * struct instruction - one instruction
 * @address: link-time address
 * @size: bytes
 * @text: mnemonic and operands, or bytes
 */
struct instruction {
	uint64_t address;
	uint32_t size;
	char text[96];
};

/**
 * struct instructions - instructions of a function
 * @array: instructions, ascending by address
 * @nr: elements of @array
 */
struct instructions {
	struct instruction *array;
	size_t nr;
};

/**
 * struct code - machine code of one function at a time
 * @profile: the profile
 * @function: index of the function, or PROFILE_NONE
 * @bytes: its code, or NULL
 * @symbols: its file, or NULL if the profile has the code
 * @instructions: its instructions; none if they are not known
 */
struct code {
	const struct profile *profile;
	uint32_t function;
	const uint8_t *bytes;
	struct symbols *symbols;
	struct instructions instructions;
};

void profil_code_begin(struct code *code, const struct profile *profile);
void profil_code_end(struct code *code);

/*
 * Read the code of @function from the profile, or from its file if that has the
 * build ID of the file that was profiled. Without code, @code->bytes is NULL.
 */
void profil_code_read(struct code *code, uint32_t function);

/*
 * Text of the instruction of @function at @address; its bytes if there is no
 * disassembler, and "" without code. It is valid until the next call.
 */
const char *profil_code_text(struct code *code, uint32_t function,
			     uint64_t address);

/*
 * Printable name of the function @index without result, parameters and template arguments,
 * as std::sort<...>, cut after @width characters.
 */
char *profil_short_name(const struct profile *profile, uint32_t index,
			size_t width);

#endif
