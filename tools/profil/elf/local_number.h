/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers of local symbols
 *
 * A file may have several local symbols of one name. BOLT numbers them by their
 * addresses, from 1 on. The profile does not contain the symbols without
 * samples, so the file is read.
 */
#ifndef PROFIL_LOCAL_NUMBER_H
#define PROFIL_LOCAL_NUMBER_H

#include <libelf.h>
#include <stdint.h>

/**
 * struct local_numbers - the symbols of a file
 * @fd: the file, or -1 if it cannot be read or is another file than profiled
 * @elf: the file, or NULL
 * @table: section of its symbol table, or NULL
 */
struct local_numbers {
	int fd;
	Elf *elf;
	Elf_Scn *table;
};

/* @build_id: build ID of the file, of @size bytes; 0 for any file */
void profil_local_numbers_open(struct local_numbers *numbers, const char *path,
			       const uint8_t *build_id, uint32_t size);
void profil_local_numbers_close(struct local_numbers *numbers);

/* Number of the local symbol @name at @address; 1 if the file is not read */
uint32_t profil_local_number(const struct local_numbers *numbers,
			     const char *name, uint64_t address);

#endif
