// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of Go, by the table that its programs have for their own stack traces
 *
 * The table, runtime.pclntab, is in stripped programs, too. Its kinds are those of Go 1.2,
 * 1.16, 1.18 and 1.20; Go 1.2's has no offsets of its parts. It is of the byte order and
 * the size of pointers of the program. Nothing in it is trusted.
 */
#include "elf/boundaries.h"
#include "elf/cfa_program.h"
#include "elf/gopclntab.h"

/* Kinds of tables by their first bytes, and words of the header, after these */
static const struct {
	uint32_t magic;
	uint8_t text, names, depths, list;
} kinds[] = {
	{ 0xfffffffb, 0, 0, 0, 0 },
	{ 0xfffffffa, 0, 2, 5, 6 },
	{ 0xfffffff0, 2, 3, 6, 7 },
	{ 0xfffffff1, 2, 3, 6, 7 },
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
		table->depths = word(table, kinds[kind].depths);
		table->list = word(table, kinds[kind].list);
		table->data = table->list;
	}
	return true;
}

uint64_t profil_go_start(const struct go_table *table, uint64_t i)
{
	return table->text + read_at(table, table->list + 2 * i * table->number,
				     table->number);
}

/* The functions are in the table, and the first one is code. */
static bool is_sound(const struct go_table *table, go_is_code *is_code,
		     const void *data)
{
	return table->nr && table->list <= table->size &&
	       table->nr < (table->size - table->list) / 2 / table->number &&
	       is_code(data, profil_go_start(table, 0));
}

/* The number of 4 bytes at @offset behind the address of the function @i */
static uint32_t number_of(const struct go_table *table, uint64_t i,
			  unsigned int offset)
{
	uint64_t data = read_at(table,
				table->list + (2 * i + 1) * table->number,
				table->number);

	return read_at(table, table->data + data + table->number + offset, 4);
}

const char *profil_go_name(const struct go_table *table, uint64_t i)
{
	uint64_t name = table->names + number_of(table, i, 0);

	if (name >= table->size ||
	    !memchr(table->bytes + name, 0, table->size - name))
		return NULL;
	return (const char *)table->bytes + name;
}

static void add_functions(struct boundaries *boundaries,
			  const struct go_table *table)
{
	for (uint64_t i = 0; i < table->nr; i++) {
		uint64_t start = profil_go_start(table, i);
		uint64_t end = profil_go_start(table, i + 1);
		const char *name = profil_go_name(table, i);

		if (name && *name && start < end)
			ARRAY_ADD(boundaries->symbols, boundaries->nr_symbols,
				  (struct symbol){
					  .address = start,
					  .end = end,
					  .name = name,
				  });
	}
}

/* Behind the name are the bytes of arguments, an address, and the offset of the numbers. */
void profil_go_depths(const struct go_table *table, uint64_t i,
		      struct cfa_bytes *depths)
{
	uint64_t offset = number_of(table, i, 12);
	uint64_t at = table->depths + offset;
	bool is_there = offset && at < table->size;

	*depths = (struct cfa_bytes){
		.at = table->bytes + (is_there ? at : 0),
		.end = table->bytes + (is_there ? table->size : 0),
	};
}

bool profil_go_next_depth(struct cfa_bytes *depths, int64_t *depth,
			  uint64_t *size)
{
	uint64_t difference = profil_cfa_uleb(depths);

	*depth += difference & 1 ? ~(difference >> 1) : difference >> 1;
	*size = profil_cfa_uleb(depths);
	return !depths->is_wrong && *size;
}

/* Find the table in a section; it begins there, unless a linker has joined others. */
static bool search(struct go_table *table, Elf_Data *section,
		   go_is_code *is_code, const void *data)
{
	for (size_t at = 0; at + HEADER <= section->d_size; at += 8) {
		*table = (struct go_table){
			.bytes = (const unsigned char *)section->d_buf + at,
			.size = section->d_size - at,
		};
		if (read_header(table) && is_sound(table, is_code, data))
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

bool profil_go_table_find(struct go_table *table, Elf *elf, go_is_code *is_code,
			  const void *data)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;
	Elf_Data *bytes;

	if (!profil_is_of_go(elf))
		return false;
	while ((section = elf_nextscn(elf, section))) {
		if (!gelf_getshdr(section, &head) ||
		    !may_have_table(section_name(elf, &head)))
			continue;
		bytes = elf_rawdata(section, NULL);
		if (bytes && bytes->d_buf &&
		    search(table, bytes, is_code, data))
			return true;
	}
	return false;
}

static bool is_code(const void *boundaries, uint64_t address)
{
	return profil_boundaries_is_code(boundaries, address);
}

void profil_go_functions_read(struct boundaries *boundaries, Elf *elf)
{
	struct go_table table;

	if (profil_go_table_find(&table, elf, is_code, boundaries))
		add_functions(boundaries, &table);
}
