/* SPDX-License-Identifier: GPL-2.0-only */
/* Valid files, which tests read, truncate and damage */
#ifndef TESTS_VALID_FILES_H
#define TESTS_VALID_FILES_H

#include <stddef.h>

#include <linux/types.h>

#include "content.h"

/**
 * struct valid_file - content of a file, and the data in it
 * @name: description of the file
 * @text: content, for append_all()
 * @kind: gmon.out or mon.out
 * @word: bytes of an address
 * @rate: samples per second
 * @samples: number of all samples
 * @calls: number of all calls
 * @cuts: sizes at which the truncated file is valid, terminated by 0
 * @step: interval of further such sizes behind the last of @cuts, or 0
 */
struct valid_file {
	const char *name;
	const char *text;
	const char *kind;
	unsigned int word;
	unsigned int rate;
	__u64 samples;
	__u64 calls;
	size_t cuts[8];
	size_t step;
};

#define NR_VALID_FILES 7

extern const struct valid_file valid_files[NR_VALID_FILES];

#endif /* TESTS_VALID_FILES_H */
