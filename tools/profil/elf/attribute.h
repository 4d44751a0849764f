/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attribution of samples and calls to the functions of a file
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
 * struct function - a function, or a range between two boundaries
 * @name: name; NULL while it has no samples and calls
 * @owner: function that the range belongs to; NULL while it is not known
 * @parts: samples, times SAMPLE_PARTS
 * @calls: number of calls
 */
struct function {
	char *name;
	struct function *owner;
	uint64_t parts;
	uint64_t calls;
};

/**
 * struct attribution - all functions of a file, with their samples and calls
 * @path: path of the file
 * @symbols: symbols of the file
 * @boundaries: boundaries between the functions
 * @array: a function for each boundary
 * @outside: samples and calls outside of the code of the file
 */
struct attribution {
	const char *path;
	struct symbols *symbols;
	const struct boundaries *boundaries;
	struct function *array;
	struct function outside;
};

/* Exits if @path is not a program or library with addresses of @word bytes. */
void profil_attribute_open(struct attribution *attribution, const char *path,
			   unsigned int word);
void profil_attribute_close(struct attribution *attribution);

/* Function of the code at @address, or @outside */
struct function *profil_attribute_at(struct attribution *attribution,
				     uint64_t address);

/* Bytes from the start of the function to @address; UINT64_MAX outside */
uint64_t profil_attribute_offset(struct attribution *attribution,
				 uint64_t address);

/*
 * Add samples and calls of @data to the functions. The samples of a bin over
 * several functions are divided by the length of its part in each. The sum of
 * all parts is exact.
 */
void profil_attribute_count(struct attribution *attribution,
			    const struct gprof_data *data);

#endif
