// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions in the unwind table of a file
 *
 * Distributions strip the symbols of functions that a library does not export, but not
 * the table that unwinds exceptions, .eh_frame. Its index, .eh_frame_hdr, is a sorted
 * list of the start addresses of functions and of their entries, so that the samples of
 * one function stay together without a name. All linkers write the same kind, with
 * addresses of 4 bytes relative to the section; others are ignored.
 */
#include "elf/unwind.h"

/* Encodings of numbers in the header, DW_EH_PE_* */
#define UDATA4 0x03
#define DATAREL_SDATA4 0x3b
#define SIZE_MASK 0x0f

/* Four bytes, a pointer to .eh_frame, a count; then pairs of addresses */
#define HEADER 12
#define PAIR 8

/* Members of an entry: its length, its kind, and the start and size of the function */
#define ENTRY_START 8
#define ENTRY_SIZE 12
#define ENTRY 16

static int32_t read_int(const unsigned char *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

static bool is_usual(const unsigned char *header, size_t size)
{
	return size >= HEADER && header[0] == 1 &&
	       (header[1] & SIZE_MASK) % 8 == UDATA4 && header[2] == UDATA4 &&
	       header[3] == DATAREL_SDATA4;
}

static void read_pairs(struct unwind *unwind, const unsigned char *header,
		       size_t size)
{
	uint32_t count = read_int(header + 8);

	if (!count || count > (size - HEADER) / PAIR)
		return;
	unwind->pairs = header + HEADER;
	unwind->starts = profil_grow(NULL, count, sizeof(*unwind->starts));
	unwind->nr = count;
	for (uint32_t i = 0; i < count; i++)
		unwind->starts[i] =
			unwind->address + read_int(unwind->pairs + PAIR * i);
}

void profil_unwind_read(struct unwind *unwind, Elf *elf,
			const GElf_Phdr *segment)
{
	Elf_Data *data = elf_getdata_rawchunk(elf, segment->p_offset,
					      segment->p_filesz, ELF_T_BYTE);

	if (!data || unwind->starts || !is_usual(data->d_buf, data->d_size))
		return;
	unwind->elf = elf;
	unwind->address = segment->p_vaddr;
	unwind->offset = segment->p_offset;
	read_pairs(unwind, data->d_buf, data->d_size);
}

/*
 * The entry of the function with the index @nr. It is in the segment of the index. NULL
 * unless it has the same start as the index, relative to itself in 4 bytes, as is usual
 */
static const unsigned char *entry_of(const struct unwind *unwind, size_t nr)
{
	int64_t relative = read_int(unwind->pairs + PAIR * nr + 4);
	uint64_t start = unwind->address + relative + ENTRY_START;
	uint64_t at = unwind->offset + relative;
	size_t size;
	const char *file = elf_rawfile(unwind->elf, &size);

	if (!file || size < ENTRY || at > size - ENTRY)
		return NULL;
	start += read_int((const unsigned char *)file + at + ENTRY_START);
	return start == unwind->starts[nr] ? (const void *)(file + at) : NULL;
}

uint64_t profil_unwind_end(const struct unwind *unwind, size_t nr)
{
	const unsigned char *entry = entry_of(unwind, nr);

	if (entry)
		return unwind->starts[nr] +
		       (uint32_t)read_int(entry + ENTRY_SIZE);
	return nr + 1 < unwind->nr ? unwind->starts[nr + 1] : UINT64_MAX;
}
