/* SPDX-License-Identifier: GPL-2.0-only */
/* Instructions of a function */
#ifndef PROFIL_INSTRUCTIONS_H
#define PROFIL_INSTRUCTIONS_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * Disassemble @size bytes of @code at @address for @machine, as of uname -m.
 * False, with no instructions, if there is no disassembler for it.
 */
bool profil_instructions_read(struct instructions *instructions,
			      const char *machine, const uint8_t *code,
			      size_t size, uint64_t address);
void profil_instructions_free(struct instructions *instructions);

/* Instruction that contains @address, or NULL */
const struct instruction *
profil_instructions_find(const struct instructions *instructions,
			 uint64_t address);

#endif
