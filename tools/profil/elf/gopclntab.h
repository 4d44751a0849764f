/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions of Go, by their table in the file */
#ifndef PROFIL_GOPCLNTAB_H
#define PROFIL_GOPCLNTAB_H

#include <gelf.h>

#include "util/base.h"

struct boundaries;
struct cfa_bytes;

/**
 * struct go_table - a table
 * @bytes: its bytes, up to the end of the section
 * @size: their number
 * @pointer: bytes of a pointer
 * @number: bytes of a number in the list of functions
 * @text: what is added to addresses there
 * @names: offset of the names
 * @depths: offset of the numbers by which rsp is known
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
	uint64_t depths;
	uint64_t list;
	uint64_t data;
	uint64_t nr;
};

/* Is code at the link-time @address of the file that @data knows? */
typedef bool go_is_code(const void *data, uint64_t address);

/* Find the table of @elf, whose first function is code; false if there is none. */
bool profil_go_table_find(struct go_table *table, Elf *elf, go_is_code *is_code,
			  const void *data);

/* Start of the function @i; of @nr, the end of the last one */
uint64_t profil_go_start(const struct go_table *table, uint64_t i);

/* Name of the function @i, which is ended by 0; NULL if it has none */
const char *profil_go_name(const struct go_table *table, uint64_t i);

/*
 * Store where the depths of the stack in the function @i are, and read the next one: bytes
 * from rsp to the return address, for @size bytes of code from where the last one has
 * ended. @depth is -1 before the first one. False at their end.
 */
void profil_go_depths(const struct go_table *table, uint64_t i,
		      struct cfa_bytes *depths);
bool profil_go_next_depth(struct cfa_bytes *depths, int64_t *depth,
			  uint64_t *size);

/*
 * Add the functions of Go in @elf to the symbols of @boundaries, whose segments have been
 * read. Their names are valid as long as @elf.
 */
void profil_go_functions_read(struct boundaries *boundaries, Elf *elf);

/* A section of @elf has Go in its name. */
bool profil_is_of_go(Elf *elf);

#endif
