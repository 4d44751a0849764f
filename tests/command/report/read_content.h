/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_READ_CONTENT_H
#define TESTS_READ_CONTENT_H

#include "content.h"
#include "read/gprof_data.h"
#include "read/input.h"

/*
 * Read the first @size bytes of @content, in memory that ends with them. False
 * if they are refused; then @file has said why, and @counts are empty.
 */
bool read_content(const struct content *content, size_t size,
		  struct datafile *file, struct counts *counts);

/* Whether @counts are what they promise to be */
bool are_sound(const struct counts *counts);

#endif /* TESTS_READ_CONTENT_H */
