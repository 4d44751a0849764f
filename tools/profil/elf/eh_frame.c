// SPDX-License-Identifier: GPL-2.0-only
/*
 * Start addresses of functions in a stripped file
 *
 * Distributions strip the symbols of functions that a library does not export,
 * but not the table that unwinds exceptions. Its index, .eh_frame_hdr, is a
 * sorted list of the start addresses of functions, so that the samples of one
 * function stay together without a name. All linkers write the same kind, with
 * addresses of 4 bytes relative to the section; others are ignored.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "elf/eh_frame.h"
#include "util/memory.h"

/* Encodings of numbers in the header, DW_EH_PE_* */
#define UDATA4 0x03
#define DATAREL_SDATA4 0x3b
#define SIZE_MASK 0x0f

/* Four bytes, a pointer to .eh_frame, a count; then pairs of addresses */
#define HEADER 12
#define PAIR 8

static bool find_segment(Elf *elf, GElf_Phdr *segment)
{
	size_t nr;

	if (elf_getphdrnum(elf, &nr))
		return false;
	for (size_t i = 0; i < nr; i++)
		if (gelf_getphdr(elf, i, segment) &&
		    segment->p_type == PT_GNU_EH_FRAME)
			return true;
	return false;
}

static bool is_usual(const unsigned char *header, size_t size)
{
	return size >= HEADER && header[0] == 1 &&
	       (header[1] & SIZE_MASK) % 8 == UDATA4 && header[2] == UDATA4 &&
	       header[3] == DATAREL_SDATA4;
}

static void read_pairs(struct eh_frame *eh_frame, const unsigned char *header,
		       size_t size, uint64_t address)
{
	uint32_t count;

	memcpy(&count, header + 8, sizeof(count));
	if (!count || count > (size - HEADER) / PAIR)
		return;
	eh_frame->starts = profil_grow(NULL, count, sizeof(*eh_frame->starts));
	eh_frame->nr = count;
	for (uint32_t i = 0; i < count; i++) {
		int32_t relative;

		memcpy(&relative, header + HEADER + PAIR * i, sizeof(relative));
		eh_frame->starts[i] = address + relative;
	}
}

void profil_eh_frame_read(struct eh_frame *eh_frame, Elf *elf)
{
	GElf_Phdr segment;
	Elf_Data *data;

	*eh_frame = (struct eh_frame){ 0 };
	if (!find_segment(elf, &segment))
		return;
	data = elf_getdata_rawchunk(elf, segment.p_offset, segment.p_filesz,
				    ELF_T_BYTE);
	if (data && is_usual(data->d_buf, data->d_size))
		read_pairs(eh_frame, data->d_buf, data->d_size,
			   segment.p_vaddr);
}

void profil_eh_frame_free(struct eh_frame *eh_frame)
{
	free(eh_frame->starts);
}

uint64_t profil_eh_frame_find(const struct eh_frame *eh_frame, uint64_t address)
{
	size_t low = 0;
	size_t high = eh_frame->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (eh_frame->starts[middle] <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? eh_frame->starts[low - 1] : address;
}
