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
 * @parts: SAMPLE_PARTS for each sample in it
 * @calls: calls of it
 */
struct function {
	char *name;
	struct function *owner;
	uint64_t parts;
	uint64_t calls;
};

/**
 * struct attribution - those of a file
 * @path: the file
 * @symbols: its symbols
 * @boundaries: its edges
 * @array: a function for each edge
 * @outside: what is where the file has no code
 */
struct attribution {
	const char *path;
	struct symbols *symbols;
	const struct boundaries *boundaries;
	struct function *array;
	struct function outside;
};

/* Exits if @path is no program or library with addresses of @word bytes. */
void profil_attribute_open(struct attribution *attribution, const char *path,
			   unsigned int word);
void profil_attribute_close(struct attribution *attribution);

/* The function that the code at @address belongs to, or @outside */
struct function *profil_attribute_at(struct attribution *attribution,
				     uint64_t address);

/* Bytes from where the symbol at @address begins; UINT64_MAX outside */
uint64_t profil_attribute_offset(struct attribution *attribution,
				 uint64_t address);

/*
 * Put samples and calls to the functions. A bin over several of them is divided
 * by how much of it lies in each; no part of it is lost or comes twice.
 */
void profil_attribute_count(struct attribution *attribution,
			    const struct gprof_data *data);

#endif
