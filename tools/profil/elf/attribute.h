/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The functions of a file, and the counts that fall on each
 */
#ifndef PROFIL_ATTRIBUTE_H
#define PROFIL_ATTRIBUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/boundaries.h"
#include "elf/symbols.h"
#include "read/gprof_data.h"

/**
 * struct function - one function, or what lies between two edges
 * @name: its name; NULL if nothing has fallen on it
 * @owner: the function that this belongs to; NULL if nobody has asked
 * @parts: COUNTS_PARTS for each sample in it
 * @calls: calls of it
 */
struct function {
	char *name;
	struct function *owner;
	uint64_t parts;
	uint64_t calls;
};

/**
 * struct functions - those of a file
 * @path: the file
 * @symbols: its symbols
 * @edges: its edges
 * @array: a function for each edge
 * @outside: what is where the file has no code
 */
struct functions {
	const char *path;
	struct symbols *symbols;
	const struct edges *edges;
	struct function *array;
	struct function outside;
};

/* Exits if @path is no program or library with addresses of @word bytes. */
void profil_functions_open(struct functions *functions, const char *path,
			   unsigned int word);
void profil_functions_close(struct functions *functions);

/* The function that the code at @address belongs to, or @outside */
struct function *profil_functions_at(struct functions *functions,
				     uint64_t address);

/* Bytes from where the symbol at @address begins; UINT64_MAX outside */
uint64_t profil_functions_into(struct functions *functions, uint64_t address);

/*
 * Put samples and calls to the functions. A bin over several of them is divided
 * by how much of it lies in each; no part of it is lost or comes twice.
 */
void profil_functions_count(struct functions *functions,
			    const struct counts *counts);

#endif
