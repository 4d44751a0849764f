// SPDX-License-Identifier: GPL-2.0-only
/* Numbers of local symbols */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include <elfutils/libdwelf.h>
#include <gelf.h>

#include "elf/local_number.h"
#include "util/regular_file.h"

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
	numbers->elf = elf_begin(numbers->fd, ELF_C_READ_MMAP, NULL);
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
