// SPDX-License-Identifier: GPL-2.0-only
/* Machine code, instructions and short names of the functions in a profile */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libiberty/demangle.h>

#include "annotate/code.h"
#include "resolve/resolve.h"
#include "util/array.h"
#include "util/memory.h"
#include "util/text.h"

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

	instructions->array = array_room(instructions->array, instructions->nr,
					 sizeof(*instructions->array));
	instruction = &instructions->array[instructions->nr++];
	instruction->address = decoded->address;
	instruction->size = decoded->size;
	snprintf(instruction->text, sizeof(instruction->text),
		 *decoded->op_str ? "%-7s %s" : "%s", decoded->mnemonic,
		 decoded->op_str);
}

static bool read_instructions(struct instructions *instructions,
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
static bool read_instructions(struct instructions *instructions,
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

static void free_instructions(struct instructions *instructions)
{
	free(instructions->array);
	*instructions = (struct instructions){ 0 };
}

static const struct instruction *
find_instruction(const struct instructions *instructions, uint64_t address)
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

static const char operator_word[] = "operator";

/* Bytes at @name of an operator whose signs are no brackets */
static size_t operator_length(const char *name)
{
	size_t length = strlen(operator_word);

	if (strncmp(name, operator_word, length))
		return 0;
	return length + strspn(name + length, "<>-=!");
}

/* Bytes at @name from < to the matching >; all of it if there is none */
static size_t brackets_length(const char *name)
{
	size_t length = 0, depth = 0;

	do {
		depth += name[length] == '<';
		depth -= name[length] == '>';
		length++;
	} while (name[length] && depth);
	return length;
}

/* Copy @name without the arguments of templates, which may be long. */
static char *without_arguments(const char *name)
{
	const char *dots = profil_text_sign("<…>", "<...>");
	char *copy = profil_grow(NULL, strlen(name) + 1, strlen(dots));
	char *to = copy;

	while (*name) {
		size_t length = operator_length(name);

		if (!length && *name == '<' && to > copy) {
			to = stpcpy(to, dots);
			name += brackets_length(name);
			continue;
		}
		if (!length)
			length = 1;
		to = mempcpy(to, name, length);
		name += length;
	}
	*to = '\0';
	return copy;
}

char *profil_short_name(const struct profile *profile, uint32_t index,
			size_t width)
{
	const struct profile_function *function = &profile->functions[index];
	char *name = cplus_demangle(function->symbol, DMGL_ANSI | DMGL_AUTO);
	char *printable, *copy, *shorter;

	printable = profil_text_printable(name ? name : function->name);
	free(name);
	copy = without_arguments(printable);
	free(printable);
	shorter = profil_text_cut(copy, width);
	free(copy);
	return shorter;
}

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
	free_instructions(&code->instructions);
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
		read_instructions(&code->instructions,
				  code->profile->head.machine, code->bytes,
				  function->size, function->address);
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
	instruction = find_instruction(&code->instructions, address);
	return instruction ? instruction->text : bytes_at(code, address);
}
