// SPDX-License-Identifier: GPL-2.0-only
/* Instructions of a function, disassembled by capstone if it was built in */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/instructions.h"
#include "util/memory.h"

#ifdef WITH_CAPSTONE
#include <capstone/capstone.h>

static bool open_machine(const char *machine, csh *handle)
{
	bool opened = false;

	if (!strcmp(machine, "x86_64"))
		opened = !cs_open(CS_ARCH_X86, CS_MODE_64, handle) &&
			 !cs_option(*handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	else if (!strcmp(machine, "aarch64"))
		opened = !cs_open(CS_ARCH_ARM64, CS_MODE_ARM, handle);
	return opened && !cs_option(*handle, CS_OPT_SKIPDATA, CS_OPT_ON);
}

static void add(struct instructions *instructions, const cs_insn *decoded)
{
	struct instruction *instruction;

	if (!(instructions->nr & (instructions->nr - 1)))
		instructions->array =
			profil_grow(instructions->array,
				    instructions->nr ? 2 * instructions->nr : 1,
				    sizeof(*instructions->array));
	instruction = &instructions->array[instructions->nr++];
	instruction->address = decoded->address;
	instruction->size = decoded->size;
	snprintf(instruction->text, sizeof(instruction->text),
		 *decoded->op_str ? "%-7s %s" : "%s", decoded->mnemonic,
		 decoded->op_str);
}

bool profil_instructions_read(struct instructions *instructions,
			      const char *machine, const uint8_t *code,
			      size_t size, uint64_t address)
{
	cs_insn *decoded;
	csh handle;

	*instructions = (struct instructions){ 0 };
	if (!open_machine(machine, &handle))
		return false;
	decoded = cs_malloc(handle);
	while (decoded &&
	       cs_disasm_iter(handle, &code, &size, &address, decoded))
		add(instructions, decoded);
	if (decoded)
		cs_free(decoded, 1);
	cs_close(&handle);
	return instructions->nr;
}
#else
bool profil_instructions_read(struct instructions *instructions,
			      const char *machine, const uint8_t *code,
			      size_t size, uint64_t address)
{
	(void)machine;
	(void)code;
	(void)size;
	(void)address;
	*instructions = (struct instructions){ 0 };
	return false;
}
#endif

void profil_instructions_free(struct instructions *instructions)
{
	free(instructions->array);
	*instructions = (struct instructions){ 0 };
}

const struct instruction *
profil_instructions_find(const struct instructions *instructions,
			 uint64_t address)
{
	size_t low = 0, high = instructions->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (instructions->array[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || address - instructions->array[low - 1].address >=
			    instructions->array[low - 1].size)
		return NULL;
	return &instructions->array[low - 1];
}
