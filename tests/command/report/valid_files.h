/* SPDX-License-Identifier: GPL-2.0-only */
/* Good files, to be broken */
#ifndef TESTS_VALID_FILES_H
#define TESTS_VALID_FILES_H

#include <stddef.h>

#include <linux/types.h>

#include "content.h"

/**
 * struct good - a file, and what is in it
 * @name: what it is
 * @parts: its content, each for append_all(), ended by NULL
 * @kind: the kind of file
 * @word: bytes of an address
 * @rate: samples a second
 * @samples: all samples
 * @calls: all calls
 * @cuts: where it may be cut off and is good still, ended by 0
 * @step: from the last of @cuts on, it may be cut off every so many bytes
 */
struct good {
	const char *name;
	const char *parts[12];
	const char *kind;
	unsigned int word;
	unsigned int rate;
	__u64 samples;
	__u64 calls;
	size_t cuts[8];
	size_t step;
};

#define GOOD_FILES 7

extern const struct good good_files[GOOD_FILES];

/* append_all() of all @parts */
bool append_parts(struct content *content, const char *const *parts);

#endif /* TESTS_VALID_FILES_H */
