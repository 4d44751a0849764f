// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input, read in pieces
 *
 * The file is not mapped: reading a truncated mapping would raise SIGBUS.
 */
#include <stdarg.h>
#include <string.h>

#include "read/gprof.h"

void profil_input_begin(struct input *input, FILE *file)
{
	input->file = file;
	fseeko(file, 0, SEEK_END);
	input->size = ftello(file);
	rewind(file);
	input->nr_mark = fread(input->mark, 1, sizeof(input->mark), file);
}

void profil_input_end(struct input *input)
{
	fclose(input->file);
}

void profil_input_again(struct input *input, unsigned int word)
{
	rewind(input->file);
	input->at = 0;
	input->word = word;
	input->sure = false;
}

const unsigned char *profil_input_mark(const struct input *input, size_t at,
				       size_t size)
{
	return at + size <= input->nr_mark ? input->mark + at : NULL;
}

static bool refuse_cut(struct input *input, const char *part)
{
	return profil_input_refuse(input, "the file ends within %s", part);
}

/* A file that was cut after its size was taken ends early, too. */
const unsigned char *profil_input_take(struct input *input, size_t size,
				       const char *part)
{
	if (size > profil_input_left(input) ||
	    fread(input->piece, 1, size, input->file) != size) {
		refuse_cut(input, part);
		return NULL;
	}
	input->at += size;
	return input->piece;
}

bool profil_input_skip(struct input *input, size_t size, const char *part)
{
	if (size > profil_input_left(input))
		return refuse_cut(input, part);
	input->at += size;
	return !fseeko(input->file, input->at, SEEK_SET) ||
	       refuse_cut(input, part);
}

bool profil_input_refuse(struct input *input, const char *format, ...)
{
	char wrong[INPUT_WRONG];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(wrong, sizeof(wrong), format, arguments);
	va_end(arguments);
	memcpy(input->wrong, wrong, sizeof(wrong));
	return false;
}

int32_t profil_input_int(const unsigned char *bytes)
{
	int32_t number;

	memcpy(&number, bytes, sizeof(number));
	return number;
}

/* @size is 4 or 8. */
uint64_t profil_input_number(const unsigned char *bytes, size_t size)
{
	uint64_t number;

	if (size == 4)
		return (uint32_t)profil_input_int(bytes);
	memcpy(&number, bytes, sizeof(number));
	return number;
}

uint64_t profil_input_word(const struct input *input,
			   const unsigned char *bytes)
{
	return profil_input_number(bytes, input->word);
}
