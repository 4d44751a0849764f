// SPDX-License-Identifier: GPL-2.0-only
/* Machine code of the functions in a profile */
#include <stdio.h>

#include "annotate/code.h"
#include "resolve/code_bytes.h"
#include "resolve/recorded_file.h"

/* Bytes that are shown where no instruction is known */
#define BYTES 8

void profil_code_begin(struct code *code, const struct profile *profile)
{
	*code = (struct code){
		.profile = profile,
		.function = PROFILE_NONE,
	};
}

static void forget(struct code *code)
{
	profil_instructions_free(&code->instructions);
	if (code->symbols)
		profil_symbols_close(code->symbols);
	profil_code_begin(code, code->profile);
}

void profil_code_end(struct code *code)
{
	forget(code);
}

/* A file without a build ID may have been built again. */
static const uint8_t *read_file(struct code *code,
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
				      profil_symbols_elf(code->symbols));
}

void profil_code_read(struct code *code, uint32_t index)
{
	const struct profile_function *function;

	if (code->function == index)
		return;
	forget(code);
	code->function = index;
	if (index == PROFILE_NONE)
		return;
	function = &code->profile->functions[index];
	code->bytes = function->code ? function->code :
				       read_file(code, function);
	if (code->bytes)
		profil_instructions_read(&code->instructions,
					 code->profile->head.machine,
					 code->bytes, function->size,
					 function->address);
}

static const char *bytes_at(const struct code *code, uint64_t address)
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

const char *profil_code_text(struct code *code, uint32_t function,
			     uint64_t address)
{
	const struct instruction *instruction;

	profil_code_read(code, function);
	if (!code->bytes)
		return "";
	instruction = profil_instructions_find(&code->instructions, address);
	return instruction ? instruction->text : bytes_at(code, address);
}
