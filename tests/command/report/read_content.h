/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TESTS_READ_CONTENT_H
#define TESTS_READ_CONTENT_H

#include "content.h"
#include "read/gprof_data.h"
#include "read/input.h"

/* Add @size bytes to @data. False if they are refused, with a message. */
bool read_input(const void *bytes, size_t size, char text[READ_ERROR_TEXT],
		struct gprof_data *data);

/*
 * Read the first @size bytes of @content, in memory that ends behind them.
 * False if they are refused: then @text has a message, and @data is empty.
 */
bool read_content(const struct content *content, size_t size,
		  char text[READ_ERROR_TEXT], struct gprof_data *data);

/* Whether @data agrees with itself, as promised in its struct's comment */
bool are_sound(const struct gprof_data *data);

#endif /* TESTS_READ_CONTENT_H */
