// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of Go, by the table that its programs have for their own stack traces
 *
 * The table, runtime.pclntab, is in stripped programs, too. Its kinds are those of Go 1.2,
 * 1.16, 1.18 and 1.20; Go 1.2's has no offsets of its parts. It is of the byte order and
 * the size of pointers of the program. Nothing in it is trusted.
 */
#include "elf/boundaries.h"
#include "elf/gopclntab.h"

/**
 * struct go_table - a table
 * @bytes: its bytes, up to the end of the section
 * @size: their number
 * @pointer: bytes of a pointer
 * @number: bytes of a number in the list of functions
 * @text: what is added to addresses there
 * @names: offset of the names
 * @list: offset of the list of functions: pairs of an address and an offset
 * @data: what is added to these offsets, of the address and the name of a function
 * @nr: number of functions; the end of the last one follows
 */
struct go_table {
	const unsigned char *bytes;
	size_t size;
	unsigned int pointer;
	unsigned int number;
	uint64_t text;
	uint64_t names;
	uint64_t list;
	uint64_t data;
	uint64_t nr;
};

/* Kinds of tables by their first bytes, and words of the header, after these */
static const struct {
	uint32_t magic;
	uint8_t text, names, list;
} kinds[] = {
	{ 0xfffffffb, 0, 0, 0 },
	{ 0xfffffffa, 0, 2, 6 },
	{ 0xfffffff0, 2, 3, 7 },
	{ 0xfffffff1, 2, 3, 7 },
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

/* A magic number, two bytes of 0, bytes of an instruction, and bytes of a pointer */
#define HEADER 8

/* Number of @width bytes, 4 or 8, at @offset; 0 if it is not there */
static uint64_t read_at(const struct go_table *table, uint64_t offset,
			unsigned int width)
{
	uint32_t half;
	uint64_t whole;

	if (offset > table->size || width > table->size - offset)
		return 0;
	memcpy(&half, table->bytes + offset, sizeof(half));
	if (width == sizeof(half))
		return half;
	memcpy(&whole, table->bytes + offset, sizeof(whole));
	return whole;
}

static uint64_t word(const struct go_table *table, unsigned int index)
{
	return read_at(table, HEADER + index * table->pointer, table->pointer);
}

/* The bytes begin like a table; what the header has is stored. */
static bool read_header(struct go_table *table)
{
	const unsigned char *bytes = table->bytes;
	size_t kind = 0;

	if (table->size < HEADER || bytes[4] || bytes[5] ||
	    (bytes[6] != 1 && bytes[6] != 4) ||
	    (bytes[7] != 4 && bytes[7] != 8))
		return false;
	while (kind < NR_KINDS && kinds[kind].magic != read_at(table, 0, 4))
		kind++;
	if (kind == NR_KINDS)
		return false;
	table->pointer = bytes[7];
	table->number = kinds[kind].text ? 4 : table->pointer;
	table->nr = word(table, 0);
	table->list = HEADER + table->pointer;
	if (kinds[kind].text)
		table->text = word(table, kinds[kind].text);
	if (kinds[kind].list) {
		table->names = word(table, kinds[kind].names);
		table->list = word(table, kinds[kind].list);
		table->data = table->list;
	}
	return true;
}

/* Start of the function @i; of @nr, the end of the last one */
static uint64_t start_of(const struct go_table *table, uint64_t i)
{
	return table->text + read_at(table, table->list + 2 * i * table->number,
				     table->number);
}

/* The functions are in the table, and the first one is code. */
static bool is_sound(const struct go_table *table,
		     const struct boundaries *boundaries)
{
	return table->nr && table->list <= table->size &&
	       table->nr < (table->size - table->list) / 2 / table->number &&
	       profil_boundaries_is_code(boundaries, start_of(table, 0));
}

/* Name of the function @i, which is ended by 0; NULL if it has none */
static const char *function_name(const struct go_table *table, uint64_t i)
{
	uint64_t data = read_at(table,
				table->list + (2 * i + 1) * table->number,
				table->number);
	uint64_t name = table->names +
			read_at(table, table->data + data + table->number, 4);

	if (name >= table->size ||
	    !memchr(table->bytes + name, 0, table->size - name))
		return NULL;
	return (const char *)table->bytes + name;
}

static void add_functions(struct boundaries *boundaries,
			  const struct go_table *table)
{
	for (uint64_t i = 0; i < table->nr; i++) {
		uint64_t start = start_of(table, i);
		uint64_t end = start_of(table, i + 1);
		const char *name = function_name(table, i);

		if (name && *name && start < end)
			ARRAY_ADD(boundaries->symbols, boundaries->nr_symbols,
				  (struct symbol){
					  .address = start,
					  .end = end,
					  .name = name,
				  });
	}
}

/* Find the table in a section; it begins there, unless a linker has joined others. */
static bool search(struct boundaries *boundaries, Elf_Data *data)
{
	for (size_t at = 0; at + HEADER <= data->d_size; at += 8) {
		struct go_table table = {
			.bytes = (const unsigned char *)data->d_buf + at,
			.size = data->d_size - at,
		};

		if (!read_header(&table) || !is_sound(&table, boundaries))
			continue;
		add_functions(boundaries, &table);
		return true;
	}
	return false;
}

/* Names of the section, by the linker of Go, and by others for PIE */
static bool may_have_table(const char *name)
{
	return !strcmp(name, ".gopclntab") ||
	       !strcmp(name, ".data.rel.ro.gopclntab") ||
	       !strcmp(name, ".data.rel.ro");
}

bool profil_is_of_go(Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while ((section = elf_nextscn(elf, section))) {
		const char *name = "";

		if (gelf_getshdr(section, &head))
			name = section_name(elf, &head);
		if (strstr(name, ".go.") || strstr(name, ".gopclntab"))
			return true;
	}
	return false;
}

void profil_go_functions_read(struct boundaries *boundaries, Elf *elf)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;
	Elf_Data *data;

	if (!profil_is_of_go(elf))
		return;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &head) ||
		    !may_have_table(section_name(elf, &head)))
			continue;
		data = elf_rawdata(section, NULL);
		if (data && data->d_buf && search(boundaries, data))
			return;
	}
}
