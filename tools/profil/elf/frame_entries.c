// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code of a file that has an entry in its tables, which say where callers are
 *
 * The entries of .eh_frame are read in the order of the section, and sorted by their code.
 */
#include <elfutils/libdw.h>
#include <linux/profil.h>

#include "elf/boundaries.h"
#include "elf/frame_entries.h"
#include "elf/gopclntab.h"
#include "util/index_map.h"

/* Common parts of entries that are kept; a linker joins them to a few hundred. */
#define MAX_COMMON 65536

/* Encodings of addresses, DW_EH_PE_*: a kind of size, and what an address is relative to */
#define SIZE_MASK 0x0f
#define IS_SIGNED 0x08
#define BASE_MASK 0xf0
#define IS_RELATIVE 0x10
#define IS_ALIGNED 0x50

/* An address in @encoding; of a function, @base is the address of @bytes. */
static uint64_t read_address(struct cfa_bytes *bytes, uint8_t encoding,
			     uint64_t base)
{
	static const uint8_t sizes[8] = { 8, 0, 2, 4, 8 };
	uint8_t size = sizes[encoding & SIZE_MASK & ~IS_SIGNED];
	unsigned int unused = 64 - 8 * size;
	uint64_t number = profil_cfa_number(bytes, size);

	if (!size)
		bytes->is_wrong = true;
	else if (encoding & IS_SIGNED)
		number = (int64_t)(number << unused) >> unused;
	return encoding & IS_RELATIVE ? number + base : number;
}

/* One letter of the augmentation, whose data is in @bytes */
static void read_letter(struct frame_common *common, char letter,
			struct cfa_bytes *bytes)
{
	uint8_t encoding;

	switch (letter) {
	case 'R':
		encoding = profil_cfa_number(bytes, 1);
		common->encoding = encoding;
		bytes->is_wrong |= (encoding & BASE_MASK & ~IS_RELATIVE) != 0;
		break;
	case 'P':
		encoding = profil_cfa_number(bytes, 1);
		bytes->is_wrong |= (encoding & BASE_MASK) == IS_ALIGNED;
		read_address(bytes, encoding & SIZE_MASK, 0);
		break;
	case 'L':
		profil_cfa_number(bytes, 1);
		break;
	case 'S':
		common->is_signal = true;
		break;
	case 'B': /* on arm64: return addresses are signed by the other key */
		break;
	default:
		bytes->is_wrong = true;
	}
}

/* False if a letter of the augmentation is not known. */
static bool read_augmentation(struct frame_common *common, const Dwarf_CIE *cie)
{
	const char *letter = cie->augmentation;
	struct cfa_bytes bytes = { cie->augmentation_data,
				   cie->augmentation_data };

	if (!*letter)
		return true;
	if (*letter != 'z' || !bytes.at)
		return false;
	common->has_data = true;
	bytes.end += cie->augmentation_data_size;
	while (*++letter)
		read_letter(common, *letter, &bytes);
	return !bytes.is_wrong;
}

static void add_common(struct frame_entries *entries, const Dwarf_CIE *cie,
		       uint64_t offset)
{
	struct frame_common common = { .offset = offset,
				       .code = cie->code_alignment_factor,
				       .data = cie->data_alignment_factor };
	struct cfa_program program = {
		.bytes = { cie->initial_instructions,
			   cie->initial_instructions_end },
		.code = common.code,
		.data = common.data,
		.machine = entries->machine,
	};

	if (entries->nr_common == MAX_COMMON ||
	    cie->return_address_register !=
		    entries->machine->registers[CFA_RA] ||
	    !read_augmentation(&common, cie))
		return;
	profil_cfa_begin(&program);
	if (profil_cfa_advance(&program) || program.bytes.is_wrong)
		return;
	common.first = program.state;
	ARRAY_ADD(entries->common, entries->nr_common, common);
}

/* Index of the common part at @offset, which is before its entries; or INDEX_NONE */
static uint32_t common_at(const struct frame_entries *entries, uint64_t offset)
{
	size_t nr = ARRAY_UP_TO(entries->common, entries->nr_common, offset);

	if (!nr || entries->common[nr - 1].offset != offset)
		return INDEX_NONE;
	return nr - 1;
}

/* The segment with the code at @address, or NULL */
static const GElf_Phdr *load_of(const struct frame_entries *entries,
				uint64_t address)
{
	for (size_t i = 0; i < entries->nr_loads; i++) {
		const GElf_Phdr *load = &entries->loads[i];

		if (address >= load->p_vaddr &&
		    address - load->p_vaddr < load->p_filesz)
			return load;
	}
	return NULL;
}

/* Add the entry of @size bytes of code at @address, if these are in one segment. */
static void add_entry(struct frame_entries *entries, uint32_t common,
		      const struct cfa_bytes *program, uint64_t address,
		      uint64_t size)
{
	const GElf_Phdr *load = load_of(entries, address);
	uint64_t begin;
	struct frame_entry entry = {
		.common = common,
		.program = program->at,
		.size = lesser(program->end - program->at, UINT32_MAX),
	};

	if (!load || entries->nr > PROFIL_MAX_ROWS)
		return;
	begin = address - load->p_vaddr;
	if (!size || size > load->p_filesz - begin)
		return;
	entry.begin = load->p_offset + begin;
	entry.end = entry.begin + size;
	ARRAY_ADD(entries->array, entries->nr, entry);
}

static void add_fde(struct frame_entries *entries, const Dwarf_FDE *fde)
{
	uint32_t index = common_at(entries, fde->CIE_pointer);
	struct cfa_bytes bytes = { fde->start, fde->end };
	const uint8_t *first = entries->data->d_buf;
	const struct frame_common *common;
	uint64_t address, size;

	if (index == INDEX_NONE)
		return;
	common = &entries->common[index];
	address = read_address(&bytes, common->encoding,
			       entries->address + (bytes.at - first));
	size = read_address(&bytes, common->encoding & SIZE_MASK, 0);
	if (common->has_data)
		profil_cfa_skip(&bytes, profil_cfa_uleb(&bytes));
	if (!bytes.is_wrong)
		add_entry(entries, index, &bytes, address, size);
}

/* An entry that is not right is left out, and one without a length ends the section. */
static void read_fdes(struct frame_entries *entries)
{
	const unsigned char *ident =
		(const void *)elf_getident(entries->elf, NULL);
	Dwarf_Off at = 0, next;

	for (;; at = next) {
		Dwarf_CFI_Entry entry;
		int error;

		next = at;
		error = dwarf_next_cfi(ident, entries->data, true, at, &next,
				       &entry);
		if (error > 0 || next <= at)
			return;
		if (error)
			continue;
		if (dwarf_cfi_cie_p(&entry))
			add_common(entries, &entry.cie, at);
		else
			add_fde(entries, &entry.fde);
	}
}

/* Functions of Go, which are in no .eh_frame, but in a table of Go's own */

/* The stack ends in these functions, or their callers are on another one. */
static bool is_outermost(const char *name)
{
	static const char *const names[] = { "goexit",	   "mstart",
					     "rt0_go",	   "systemstack",
					     "mcall",	   "morestack",
					     "asmcgocall", "cgocallback",
					     "sigtramp",   "sigreturn" };
	const char *package = "runtime.";
	bool is_one = false;

	if (strncmp(name, package, strlen(package)))
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		is_one |= !strcmp(name + strlen(package), names[i]);
	return is_one;
}

static bool is_loaded(const void *data, uint64_t address)
{
	return load_of(data, address);
}

static void add_go_entries(struct frame_entries *entries)
{
	struct go_table table;

	if (!profil_go_table_find(&table, entries->elf, is_loaded, entries))
		return;
	for (uint64_t i = 0; i < table.nr; i++) {
		const char *name = profil_go_name(&table, i);
		uint64_t begin = profil_go_start(&table, i);
		uint64_t end = profil_go_start(&table, i + 1);
		struct cfa_bytes depths;

		if (!name || begin >= end)
			continue;
		profil_go_depths(&table, i, &depths);
		add_entry(entries,
			  is_outermost(name) ? FRAME_IS_OUTERMOST : FRAME_OF_GO,
			  &depths, begin, end - begin);
	}
}

/* The file */

/* Entries and rows have 32 bits of an offset. */
static bool is_executable(const struct frame_entries *entries,
			  const GElf_Phdr *load)
{
	uint64_t end;

	return load->p_type == PT_LOAD && load->p_flags & PF_X &&
	       !__builtin_add_overflow(load->p_offset, load->p_filesz, &end) &&
	       end <= entries->size && end <= UINT32_MAX;
}

static void read_loads(struct frame_entries *entries)
{
	size_t nr;

	if (elf_getphdrnum(entries->elf, &nr))
		return;
	for (size_t i = 0; i < nr && entries->nr_loads < MAX_SEGMENTS; i++) {
		GElf_Phdr *load = &entries->loads[entries->nr_loads];

		if (gelf_getphdr(entries->elf, i, load) &&
		    is_executable(entries, load))
			entries->nr_loads++;
	}
}

static void find_section(struct frame_entries *entries)
{
	GElf_Shdr head = { 0 };
	Elf_Scn *section =
		profil_section_find(entries->elf, 0, ".eh_frame", &head);

	entries->data = elf_rawdata(section, NULL);
	entries->address = head.sh_addr;
}

/* Linkers describe .plt for x86-64 alone. */
static void add_plt(struct frame_entries *entries)
{
	const struct cfa_bytes none = { 0 };
	GElf_Shdr head;

	if (profil_section_find(entries->elf, 0, ".plt", &head))
		add_entry(entries, FRAME_OF_PLT, &none, head.sh_addr,
			  head.sh_size);
}

void profil_frame_entries_read(struct frame_entries *entries, Elf *elf,
			       const struct cfa_machine *machine)
{
	*entries = (struct frame_entries){ .elf = elf, .machine = machine };
	entries->file = (const void *)elf_rawfile(elf, &entries->size);
	if (!entries->file)
		return;
	read_loads(entries);
	find_section(entries);
	if (entries->data && entries->data->d_buf)
		read_fdes(entries);
	if (machine == &profil_cfa_x86_64)
		add_go_entries(entries);
	else
		add_plt(entries);
	ARRAY_SORT_NUMBERS(entries->array, entries->nr);
}

void profil_frame_entries_free(struct frame_entries *entries)
{
	free(entries->common);
	free(entries->array);
}
