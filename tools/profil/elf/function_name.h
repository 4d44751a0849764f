/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_ELF_FUNCTION_NAME_H
#define PROFIL_ELF_FUNCTION_NAME_H

#include <stdint.h>

#include <libelf.h>

#include "elf/symbols.h"

/*
 * Printable copy of @symbol as in the source code: demangled for C++ and Rust,
 * without the version of an exported symbol and without the suffix of LLVM.
 */
char *profil_demangle(const char *symbol);

/*
 * Printable name of the function at @location of the file @path: its symbol, or
 * the name of the file and the address.
 */
char *profil_function_name(const char *path, const struct location *location);

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
