/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Strips: the code of an object from its first address to its last, in parts of
 * equal size, each as dark as it has samples
 */
#ifndef PROFIL_HTML_STRIP_H
#define PROFIL_HTML_STRIP_H

#include <stddef.h>
#include <stdint.h>

#include "html/hot.h"

/* Parts of a strip */
#define STRIP_PARTS 480

/* Levels of heat */
#define STRIP_LEVELS 8

/**
 * struct strip_part - part of a strip
 * @samples: samples in it
 * @function: function with most of them, or PROFILE_NONE
 * @most: samples of @function
 */
struct strip_part {
	uint64_t samples;
	uint32_t function;
	uint64_t most;
};

/**
 * struct strip - code of an object
 * @object: index of the object
 * @low: lowest address
 * @size: bytes from the lowest to the highest address
 * @step: bytes of a part
 * @first: index of the object's first place
 * @end: index after its last place
 * @parts: the parts
 */
struct strip {
	uint32_t object;
	uint64_t low;
	uint64_t size;
	uint64_t step;
	uint32_t first;
	uint32_t end;
	struct strip_part parts[STRIP_PARTS];
};

/* Read the strip of @object; false if the object has no samples. */
bool profil_strip_read(struct strip *strip, const struct profile *profile,
		       uint32_t object);

/* Most samples of a part */
uint64_t profil_strip_most(const struct strip *strip);

/*
 * Least samples of a part of @level, from 1 to STRIP_LEVELS, where @most is the
 * largest number: the levels are equal on a logarithmic scale.
 */
uint64_t profil_strip_least(int level, uint64_t most);

/* Level of a part with @samples */
int profil_strip_level(uint64_t samples, uint64_t most);

#endif
