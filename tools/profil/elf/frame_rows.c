// SPDX-License-Identifier: GPL-2.0-only
/*
 * Rows of a file, by which the driver goes from a function to its caller
 *
 * The entries of .eh_frame are read in the order of the section, sorted by their code,
 * and run one after the other, so that rows come in the order of their offsets. Go has
 * tables of its own in place of .eh_frame.
 */
#include <elfutils/libdw.h>

#include "elf/boundaries.h"
#include "elf/frame_rows.h"
#include "elf/frame_rule.h"
#include "elf/gopclntab.h"
#include "util/index_map.h"

/* Executable segments that are looked at; linkers make one or two. */
#define MAX_SEGMENTS 16

/* Common parts of entries that are kept; a linker joins them to a few hundred. */
#define MAX_COMMON 65536

/* Encodings of addresses, DW_EH_PE_*: a size, and what an address is relative to */
#define SIZE_MASK 0x0f
#define ULEB 0x01
#define DATA2 0x02
#define DATA4 0x03
#define DATA8 0x04
#define IS_SIGNED 0x08
#define BASE_MASK 0xf0
#define IS_RELATIVE 0x10
#define IS_ALIGNED 0x50

/*
 * A CIE: what entries for functions have in common
 * @offset: in the section
 * @encoding: of the addresses of a function
 * @has_data: its entries have augmentation data
 * @is_signal: its functions are frames of signals
 * @first: rules at the beginning of its functions
 */
struct common {
	uint64_t offset;
	uint64_t code;
	int64_t data;
	uint8_t encoding;
	bool has_data;
	bool is_signal;
	struct cfa_state first;
};

/* An FDE: the entry of the code from @begin up to @end, offsets in the file */
struct entry {
	uint64_t begin;
	uint64_t end;
	uint32_t common;
	struct cfa_bytes program;
};

/*
 * The compilation of a file
 * @file: its @size bytes
 * @data: .eh_frame, whose address is @address
 * @loads: executable segments
 */
struct compiler {
	Elf *elf;
	const uint8_t *file;
	size_t size;
	Elf_Data *data;
	uint64_t address;
	GElf_Phdr loads[MAX_SEGMENTS];
	size_t nr_loads;
	struct common *common;
	size_t nr_common;
	struct entry *entries;
	size_t nr_entries;
	struct frame_rows *rows;
};

/* Entries */

/* An address in @encoding; of a function, @base is the address of @bytes. */
static uint64_t read_address(struct cfa_bytes *bytes, uint8_t encoding,
			     uint64_t base)
{
	static const uint8_t sizes[] = { 8, 0, 2, 4, 8 };
	uint8_t kind = encoding & SIZE_MASK & ~IS_SIGNED;
	uint64_t number;
	unsigned int unused;

	if (kind == ULEB) {
		number = encoding & IS_SIGNED ?
				 (uint64_t)profil_cfa_sleb(bytes) :
				 profil_cfa_uleb(bytes);
	} else if (kind < sizeof(sizes)) {
		number = profil_cfa_number(bytes, sizes[kind]);
		unused = 64 - 8 * sizes[kind];
		if (encoding & IS_SIGNED)
			number = (int64_t)(number << unused) >> unused;
	} else {
		bytes->is_wrong = true;
		return 0;
	}
	return encoding & IS_RELATIVE ? number + base : number;
}

/* One letter of the augmentation, whose data is in @bytes */
static void read_letter(struct common *common, char letter,
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
	default:
		bytes->is_wrong = true;
	}
}

/* False if a letter of the augmentation is not known. */
static bool read_augmentation(struct common *common, const Dwarf_CIE *cie)
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

static void add_common(struct compiler *compiler, const Dwarf_CIE *cie,
		       uint64_t offset)
{
	struct common common = { .offset = offset,
				 .code = cie->code_alignment_factor,
				 .data = cie->data_alignment_factor };
	struct cfa_program program = {
		.bytes = { cie->initial_instructions,
			   cie->initial_instructions_end },
		.code = common.code,
		.data = common.data,
	};

	if (compiler->nr_common == MAX_COMMON ||
	    cie->return_address_register != CFA_DWARF_RA ||
	    !read_augmentation(&common, cie))
		return;
	profil_cfa_begin(&program);
	if (profil_cfa_advance(&program) || program.bytes.is_wrong)
		return;
	common.first = program.state;
	ARRAY_ADD(compiler->common, compiler->nr_common, common);
}

/* Index of the common part at @offset, which is before its entries; or INDEX_NONE */
static uint32_t common_at(const struct compiler *compiler, uint64_t offset)
{
	size_t nr = ARRAY_UP_TO(compiler->common, compiler->nr_common, offset);

	if (!nr || compiler->common[nr - 1].offset != offset)
		return INDEX_NONE;
	return nr - 1;
}

/* Make offsets in the file of the addresses in @entry; false if it is not in one segment. */
static bool set_offsets(const struct compiler *compiler, struct entry *entry)
{
	for (size_t i = 0; i < compiler->nr_loads; i++) {
		const GElf_Phdr *load = &compiler->loads[i];
		uint64_t begin = entry->begin - load->p_vaddr;

		if (entry->begin < load->p_vaddr || begin >= load->p_filesz)
			continue;
		if (entry->end - entry->begin > load->p_filesz - begin)
			return false;
		entry->end += load->p_offset - load->p_vaddr;
		entry->begin += load->p_offset - load->p_vaddr;
		return true;
	}
	return false;
}

static void add_entry(struct compiler *compiler, const Dwarf_FDE *fde)
{
	uint32_t index = common_at(compiler, fde->CIE_pointer);
	struct cfa_bytes bytes = { fde->start, fde->end };
	const uint8_t *first = compiler->data->d_buf;
	const struct common *common;
	struct entry entry;

	if (index == INDEX_NONE)
		return;
	common = &compiler->common[index];
	entry.common = index;
	entry.begin = read_address(&bytes, common->encoding,
				   compiler->address + (bytes.at - first));
	entry.end = read_address(&bytes, common->encoding & SIZE_MASK, 0);
	if (__builtin_add_overflow(entry.begin, entry.end, &entry.end))
		return;
	if (common->has_data)
		profil_cfa_skip(&bytes, profil_cfa_uleb(&bytes));
	if (bytes.is_wrong || entry.begin == entry.end ||
	    compiler->nr_entries > PROFIL_MAX_ROWS ||
	    !set_offsets(compiler, &entry))
		return;
	entry.program = bytes;
	ARRAY_ADD(compiler->entries, compiler->nr_entries, entry);
}

/* An entry that is not right is left out, and one without a length ends the section. */
static void read_entries(struct compiler *compiler)
{
	const unsigned char *ident =
		(const void *)elf_getident(compiler->elf, NULL);
	Dwarf_Off at = 0, next;

	for (;; at = next) {
		Dwarf_CFI_Entry entry;
		int error;

		next = at;
		error = dwarf_next_cfi(ident, compiler->data, true, at, &next,
				       &entry);
		if (error > 0 || next <= at)
			return;
		if (error)
			continue;
		if (dwarf_cfi_cie_p(&entry))
			add_common(compiler, &entry.cie, at);
		else
			add_entry(compiler, &entry.fde);
	}
}

/* Functions of Go, which are in no .eh_frame, but in a table of Go's own */

/* In place of the common part of an entry: its program is depths of the stack; or none */
#define OF_GO (INDEX_NONE - 1)
#define OUTERMOST_OF_GO INDEX_NONE

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
	const struct compiler *compiler = data;
	struct entry entry = { .begin = address, .end = address };

	return set_offsets(compiler, &entry);
}

static void add_go_entries(struct compiler *compiler)
{
	struct go_table table;

	if (!profil_go_table_find(&table, compiler->elf, is_loaded, compiler))
		return;
	for (uint64_t i = 0; i < table.nr; i++) {
		const char *name = profil_go_name(&table, i);
		struct entry entry = {
			.begin = profil_go_start(&table, i),
			.end = profil_go_start(&table, i + 1),
			.common = OF_GO,
		};

		if (!name || entry.begin >= entry.end ||
		    compiler->nr_entries > PROFIL_MAX_ROWS ||
		    !set_offsets(compiler, &entry))
			continue;
		profil_go_depths(&table, i, &entry.program);
		if (is_outermost(name))
			entry.common = OUTERMOST_OF_GO;
		ARRAY_ADD(compiler->entries, compiler->nr_entries, entry);
	}
}

/* Code between functions */

/* Bytes of the operand of a no-operation whose second byte is @modes */
static size_t operand_size(uint8_t modes)
{
	static const uint8_t sizes[] = { 0, 1, 4, 0 };
	uint8_t mode = modes >> 6, base = modes & 7;

	if (!mode && base == 5)
		return 4;
	return sizes[mode] + (mode < 3 && base == 4);
}

/* Bytes of the instruction at @code that assemblers align functions with; 0: another one */
static size_t padding_at(const uint8_t *code, size_t size)
{
	size_t at = 0;

	if (!code[0] || code[0] == 0xcc)
		return 1;
	while (at < size && (code[at] == 0x66 || code[at] == 0x2e))
		at++;
	if (at < size && code[at] == 0x90)
		return at + 1;
	if (size - at < 3 || code[at] != 0x0f || code[at + 1] != 0x1f)
		return 0;
	at += 3 + operand_size(code[at + 2]);
	return at <= size ? at : 0;
}

static bool is_padding(const uint8_t *code, size_t size)
{
	size_t length;

	for (; size; code += length, size -= length) {
		length = padding_at(code, size);
		if (!length)
			return false;
	}
	return true;
}

/* Rows */

static const struct profil_row no_rule = { .rule = PROFIL_RULE_NONE };
static const struct profil_row outermost = { .rule = PROFIL_RULE_END };
static const struct profil_row by_rbp = { .rule = PROFIL_RULE_BY_RBP };

static bool is_same(const struct profil_row *one,
		    const struct profil_row *other)
{
	return one->rule == other->rule && one->bp == other->bp &&
	       one->bx == other->bx;
}

/* From @offset on, which is not below that of the last row, @row holds. */
static void add_row(struct compiler *compiler, uint64_t offset,
		    struct profil_row row)
{
	struct frame_rows *rows = compiler->rows;

	if (rows->nr && rows->array[rows->nr - 1].offset == offset)
		rows->nr--;
	if (rows->nr > PROFIL_MAX_ROWS ||
	    (rows->nr && is_same(&rows->array[rows->nr - 1], &row)))
		return;
	row.offset = offset;
	ARRAY_ADD(rows->array, rows->nr, row);
}

/* rbp is saved in the first word of a frame, below the return address; rbx is not kept. */
static struct profil_row row_of_depth(int64_t depth)
{
	if (depth < 0 || depth % 8 || depth > INT16_MAX - 8)
		return no_rule;
	return (struct profil_row){
		.rule = (uint16_t)(depth + 8) | PROFIL_RULE_SP,
		.bp = depth ? -2 : 0,
		.bx = -1,
	};
}

static void run_depths(struct compiler *compiler, const struct entry *entry)
{
	struct cfa_bytes depths = entry->program;
	uint64_t at = entry->begin, size;
	int64_t depth = -1;

	while (at < entry->end &&
	       profil_go_next_depth(&depths, &depth, &size)) {
		add_row(compiler, at, row_of_depth(depth));
		at = size < entry->end - at ? at + size : entry->end;
	}
	if (at < entry->end)
		add_row(compiler, at, by_rbp);
}

static void run_entry(struct compiler *compiler, const struct entry *entry)
{
	const struct common *common = &compiler->common[entry->common];
	struct cfa_program program;
	uint64_t at = entry->begin, step;

	/* What it can remember has 3 KB, too much to be cleared for each entry. */
	program.bytes = entry->program;
	program.code = common->code;
	program.data = common->data;
	program.first = &common->first;
	profil_cfa_begin(&program);
	do {
		step = profil_cfa_advance(&program);
		add_row(compiler, at,
			program.bytes.is_wrong ?
				no_rule :
				profil_frame_rule(&program.state,
						  common->is_signal));
		at = step < entry->end - at ? at + step : entry->end;
	} while (step && at < entry->end);
}

/* No function may be at @begin, or above it, so far. */
static void drop_rows(struct compiler *compiler, uint64_t begin)
{
	struct frame_rows *rows = compiler->rows;

	while (rows->nr && rows->array[rows->nr - 1].offset >= begin)
		rows->nr--;
}

static int by_begin(const void *a, const void *b)
{
	const struct entry *one = a, *other = b;

	return compare_numbers(one->begin, other->begin) ?:
		       compare_numbers(one->end, other->end);
}

/*
 * Where functions overlap, none of them is believed. Padding behind a function, which is
 * not executed, needs no row of its own.
 */
static void add_rows(struct compiler *compiler)
{
	uint64_t end = 0;

	ARRAY_SORT(compiler->entries, compiler->nr_entries, by_begin);
	for (size_t i = 0; i < compiler->nr_entries; i++) {
		const struct entry *entry = &compiler->entries[i];

		if (entry->begin < end) {
			drop_rows(compiler, entry->begin);
			add_row(compiler, entry->begin, no_rule);
			if (entry->end > end)
				end = entry->end;
			continue;
		}
		if (end &&
		    !is_padding(compiler->file + end, entry->begin - end))
			add_row(compiler, end, by_rbp);
		if (entry->common == OUTERMOST_OF_GO)
			add_row(compiler, entry->begin, outermost);
		else if (entry->common == OF_GO)
			run_depths(compiler, entry);
		else
			run_entry(compiler, entry);
		end = entry->end;
	}
	if (end)
		add_row(compiler, end, by_rbp);
}

/* Files */

static bool is_for_machine(Elf *elf)
{
	GElf_Ehdr head;

	return elf_kind(elf) == ELF_K_ELF && gelf_getehdr(elf, &head) &&
	       head.e_ident[EI_CLASS] == ELFCLASS64 &&
	       head.e_ident[EI_DATA] == ELFDATA2LSB &&
	       head.e_machine == EM_X86_64 &&
	       (head.e_type == ET_EXEC || head.e_type == ET_DYN);
}

/* Rows have 32 bits of an offset. */
static bool is_executable(const struct compiler *compiler,
			  const GElf_Phdr *load)
{
	uint64_t end;

	return load->p_type == PT_LOAD && load->p_flags & PF_X &&
	       !__builtin_add_overflow(load->p_offset, load->p_filesz, &end) &&
	       end <= compiler->size && end <= UINT32_MAX;
}

static void read_loads(struct compiler *compiler)
{
	size_t nr;

	if (elf_getphdrnum(compiler->elf, &nr))
		return;
	for (size_t i = 0; i < nr && compiler->nr_loads < MAX_SEGMENTS; i++) {
		GElf_Phdr *load = &compiler->loads[compiler->nr_loads];

		if (gelf_getphdr(compiler->elf, i, load) &&
		    is_executable(compiler, load))
			compiler->nr_loads++;
	}
}

static void read_sections(struct compiler *compiler)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(compiler->elf, section))) {
		if (!gelf_getshdr(section, &head))
			continue;
		if (head.sh_flags & SHF_EXECINSTR && head.sh_type != SHT_NOBITS)
			compiler->rows->text +=
				lesser(head.sh_size, compiler->size);
		if (compiler->data ||
		    strcmp(section_name(compiler->elf, &head), ".eh_frame"))
			continue;
		compiler->data = elf_rawdata(section, NULL);
		compiler->address = head.sh_addr;
	}
}

/* Code before the first function is not described, either. */
static void compile(struct compiler *compiler)
{
	uint64_t first = UINT64_MAX;

	read_loads(compiler);
	read_sections(compiler);
	if (compiler->data && compiler->data->d_buf)
		read_entries(compiler);
	add_go_entries(compiler);
	for (size_t i = 0; i < compiler->nr_loads; i++)
		first = lesser(first, compiler->loads[i].p_offset);
	if (compiler->nr_loads &&
	    (compiler->nr_entries || profil_is_of_go(compiler->elf)))
		add_row(compiler, first, by_rbp);
	add_rows(compiler);
}

/* Bytes of code that have a rule */
static uint64_t covered_by(const struct frame_rows *rows)
{
	uint64_t covered = 0;

	for (size_t i = 0; i + 1 < rows->nr; i++)
		if (PROFIL_RULE_KIND(rows->array[i].rule) != PROFIL_RULE_NONE)
			covered += rows->array[i + 1].offset -
				   rows->array[i].offset;
	return lesser(covered, rows->text);
}

void profil_frame_rows_read(struct frame_rows *rows, Elf *elf)
{
	struct compiler compiler = { .elf = elf, .rows = rows };

	*rows = (struct frame_rows){ 0 };
	if (!elf || !is_for_machine(elf))
		return;
	compiler.file = (const void *)elf_rawfile(elf, &compiler.size);
	if (!compiler.file)
		return;
	compile(&compiler);
	if (rows->nr > PROFIL_MAX_ROWS || compiler.nr_entries > PROFIL_MAX_ROWS)
		rows->nr = 0;
	rows->covered = covered_by(rows);
	free(compiler.common);
	free(compiler.entries);
}

void profil_frame_rows_free(struct frame_rows *rows)
{
	free(rows->array);
}
