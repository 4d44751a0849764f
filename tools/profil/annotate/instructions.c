// SPDX-License-Identifier: GPL-2.0-only
/* Machine code and instructions of the functions in a profile */
#include "annotate/instructions.h"
#include "resolve/file.h"

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

static void add(struct instructions *code, const cs_insn *decoded)
{
	struct instruction *instruction;

	code->array = array_room(code->array, code->nr, sizeof(*code->array));
	instruction = &code->array[code->nr++];
	instruction->address = decoded->address;
	instruction->size = decoded->size;
	snprintf(instruction->text, sizeof(instruction->text),
		 *decoded->op_str ? "%-7s %s" : "%s", decoded->mnemonic,
		 decoded->op_str);
}

static void read_instructions(struct instructions *code,
			      const struct profile_function *function)
{
	const uint8_t *bytes = code->bytes;
	uint64_t address = function->address;
	size_t size = function->size;
	cs_insn *decoded;
	csh handle;

	if (!open_machine(code->profile->head.machine, &handle))
		return;
	decoded = cs_malloc(handle);
	while (decoded &&
	       cs_disasm_iter(handle, &bytes, &size, &address, decoded))
		add(code, decoded);
	if (decoded)
		cs_free(decoded, 1);
	cs_close(&handle);
}
#else
static void read_instructions(struct instructions *code,
			      const struct profile_function *function)
{
	(void)code;
	(void)function;
}
#endif

/* Bytes that are shown where no instruction is known */
#define BYTES 8

void profil_instructions_end(struct instructions *code)
{
	free(code->array);
	if (code->symbols)
		profil_symbols_close(code->symbols);
	*code = (struct instructions){ code->profile,
				       .function = PROFILE_NONE };
}

/* A file without a build ID may have been built again. */
static const uint8_t *read_file(struct instructions *code,
				const struct profile_function *function)
{
	const struct profile_object *object =
		&code->profile->objects[function->object];

	if (!object->build_id_size)
		return NULL;
	code->symbols = profil_recorded_file_open(object);
	if (!code->symbols)
		return NULL;
	return profil_code_bytes_read(code->profile, function,
				      code->symbols->elf);
}

void profil_instructions_read(struct instructions *code, uint32_t index)
{
	const struct profile_function *function;

	if (code->function == index)
		return;
	profil_instructions_end(code);
	code->function = index;
	if (index == PROFILE_NONE)
		return;
	function = &code->profile->functions[index];
	code->bytes = function->code ? function->code :
				       read_file(code, function);
	if (code->bytes)
		read_instructions(code, function);
}

static const char *bytes_at(const struct instructions *code, uint64_t address)
{
	const struct profile_function *function =
		&code->profile->functions[code->function];
	uint64_t into = address - function->address;
	static char text[3 * BYTES + 1];
	char *to = text;

	*to = '\0';
	for (int i = 0; i < BYTES && into < function->size; i++, into++)
		to += sprintf(to, "%s%02x", i ? " " : "", code->bytes[into]);
	return text;
}

const char *profil_instructions_text(struct instructions *code,
				     uint32_t function, uint64_t address)
{
	const struct instruction *last;
	size_t nr;

	profil_instructions_read(code, function);
	if (!code->bytes)
		return "";
	nr = ARRAY_UP_TO(code->array, code->nr, address);
	last = nr ? &code->array[nr - 1] : NULL;
	return last && address - last->address < last->size ?
		       last->text :
		       bytes_at(code, address);
}
