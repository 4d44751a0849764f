// SPDX-License-Identifier: GPL-2.0-only
/* Names of functions, and numbers of local symbols */
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "elf/function_name.h"
#include "util/memory.h"
#include "util/regular_file.h"
#include "util/text.h"

/* Free @name and return its printable form. */
static char *printable(char *name)
{
	char *copy = profil_text_printable(name);

	free(name);
	return copy;
}

/* LLVM marks a local function that another module of the link calls. */
static void cut_llvm(char *name)
{
	char *mark = strstr(name, ".llvm.");
	size_t digits = mark ? strspn(mark + 6, "0123456789") : 0;

	if (digits && !mark[6 + digits])
		*mark = '\0';
}

/* An exported symbol may have a version. */
static void cut_version(char *name)
{
	char *at = strchr(name, '@');

	if (at && at > name)
		*at = '\0';
}

char *profil_demangle(const char *symbol)
{
	char *name = profil_copy_string(symbol);
	char *demangled;

	cut_version(name);
	cut_llvm(name);
	demangled = cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
	if (!demangled)
		return printable(name);
	free(name);
	return printable(demangled);
}

char *profil_function_name(const char *path, const struct location *location)
{
	char name[512];

	if (location->name)
		return profil_demangle(location->name);
	snprintf(name, sizeof(name), "%.480s+0x%" PRIx64,
		 profil_text_base(path), location->address);
	return profil_text_printable(name);
}

/*
 * Numbers of local symbols
 *
 * A file may have several local symbols of one name. BOLT numbers them by their
 * addresses, from 1 on. The profile does not contain the symbols without
 * samples, so the file is read.
 */

/* The build ID of a profile may be cut; a file may have none. */
static bool is_same(Elf *elf, const uint8_t *build_id, uint32_t size)
{
	const void *id;
	ssize_t here = dwelf_elf_gnu_build_id(elf, &id);

	if (here <= 0 || !size)
		return true;
	return here >= (ssize_t)size && !memcmp(id, build_id, size);
}

static Elf_Scn *symbol_table(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &head) && head.sh_type == SHT_SYMTAB)
			break;
	return section;
}

void profil_local_numbers_open(struct local_numbers *numbers, const char *path,
			       const uint8_t *build_id, uint32_t size)
{
	*numbers = (struct local_numbers){ 0 };
	numbers->fd = profil_regular_file_open(path);
	if (numbers->fd < 0)
		return;
	elf_version(EV_CURRENT);
	/* Not mapped: a file that is cut meanwhile would raise SIGBUS. */
	numbers->elf = elf_begin(numbers->fd, ELF_C_READ, NULL);
	if (numbers->elf && is_same(numbers->elf, build_id, size))
		numbers->table = symbol_table(numbers->elf);
}

void profil_local_numbers_close(struct local_numbers *numbers)
{
	elf_end(numbers->elf);
	if (numbers->fd >= 0)
		close(numbers->fd);
}

/* The section @index is in memory, or @index is for absolute symbols. */
static bool is_in_memory(Elf *elf, unsigned int index)
{
	GElf_Shdr head;

	if (index == SHN_ABS)
		return true;
	return gelf_getshdr(elf_getscn(elf, index), &head) &&
	       head.sh_flags & SHF_ALLOC;
}

/* @symbol is one of those that BOLT numbers, and is before @address. */
static bool is_before(Elf *elf, const GElf_Sym *symbol, uint64_t address)
{
	return GELF_ST_BIND(symbol->st_info) == STB_LOCAL &&
	       GELF_ST_TYPE(symbol->st_info) != STT_FILE && symbol->st_value &&
	       symbol->st_value < address &&
	       is_in_memory(elf, symbol->st_shndx);
}

static uint32_t count_before(const struct local_numbers *numbers,
			     const char *name, uint64_t address)
{
	Elf_Data *data = elf_getdata(numbers->table, NULL);
	uint32_t before = 0;
	GElf_Shdr head;
	GElf_Sym symbol;

	if (!data || !gelf_getshdr(numbers->table, &head))
		return 0;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *other =
			elf_strptr(numbers->elf, head.sh_link, symbol.st_name);

		if (other && !strcmp(other, name) &&
		    is_before(numbers->elf, &symbol, address))
			before++;
	}
	return before;
}

uint32_t profil_local_number(const struct local_numbers *numbers,
			     const char *name, uint64_t address)
{
	return numbers->table ? count_before(numbers, name, address) + 1 : 1;
}
