/* SPDX-License-Identifier: GPL-2.0-only */
/* Code of a file that has an entry in its tables, which say where callers are */
#ifndef PROFIL_ELF_FRAME_ENTRIES_H
#define PROFIL_ELF_FRAME_ENTRIES_H

#include <gelf.h>

#include "elf/cfa_program.h"

/* Executable segments that are looked at; linkers make one or two. */
#define MAX_SEGMENTS 16

/*
 * A CIE: what entries for functions have in common
 * @offset: in the section
 * @encoding: of the addresses of a function
 * @has_data: its entries have augmentation data
 * @is_signal: its functions are frames of signals
 * @first: rules at the beginning of its functions
 */
struct frame_common {
	uint64_t offset;
	uint64_t code;
	int64_t data;
	uint8_t encoding;
	bool has_data;
	bool is_signal;
	struct cfa_state first;
};

/*
 * In place of the common part of an entry: its program is depths of the stack; or it has
 * none, as the code of .plt on arm64
 */
#define FRAME_OF_PLT (UINT32_MAX - 2)
#define FRAME_OF_GO (UINT32_MAX - 1)
#define FRAME_IS_OUTERMOST UINT32_MAX

/*
 * The entry of the code from @begin up to @end, offsets in the file
 * @common: index of its common part
 * @program: its program, of @size bytes
 */
struct frame_entry {
	uint64_t begin;
	uint32_t end;
	uint32_t common;
	const uint8_t *program;
	uint32_t size;
};

/*
 * Entries of a file, by the beginning of their code
 * @machine: that it is for
 * @file: its @size bytes, or NULL
 * @data: .eh_frame, whose address is @address
 * @loads: its executable segments
 */
struct frame_entries {
	Elf *elf;
	const struct cfa_machine *machine;
	const uint8_t *file;
	size_t size;
	Elf_Data *data;
	uint64_t address;
	GElf_Phdr loads[MAX_SEGMENTS];
	size_t nr_loads;
	struct frame_common *common;
	size_t nr_common;
	struct frame_entry *array;
	size_t nr;
};

/*
 * Read the entries of .eh_frame of @elf, which is for @machine; on x86-64 also the functions
 * of Go, which are not there but in a table of Go's own. Those that are not right, or not in
 * one segment, are left out; more than PROFIL_MAX_ROWS are one more.
 */
void profil_frame_entries_read(struct frame_entries *entries, Elf *elf,
			       const struct cfa_machine *machine);
void profil_frame_entries_free(struct frame_entries *entries);

static inline struct cfa_bytes frame_program_of(const struct frame_entry *entry)
{
	return (struct cfa_bytes){ entry->program,
				   entry->program + entry->size };
}

#endif
