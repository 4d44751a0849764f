// SPDX-License-Identifier: GPL-2.0-only
/* Allocation that never fails */
#include <stdarg.h>

#include "util/base.h"

/* die_err() makes its message in memory. */
void profil_memory_exhausted(void)
{
	fprintf(stderr, "%s: %s\n", program_invocation_short_name,
		"out of memory: close other programs, or raise ulimit -v");
	exit(EXIT_PROFIL);
}

static void *checked(void *memory)
{
	if (!memory)
		profil_memory_exhausted();
	return memory;
}

void *profil_grow(void *array, size_t elements, size_t size)
{
	return checked(reallocarray(array, elements, size));
}

void *profil_zeros(size_t elements, size_t size)
{
	return checked(calloc(elements, size));
}

char *profil_copy_string(const char *string)
{
	return checked(strdup(string));
}

char *profil_format(const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	if (vasprintf(&text, format, values) < 0)
		profil_memory_exhausted();
	va_end(values);
	return text;
}

/*
 * A text that is written to by a stream, ended by a zero beyond @size, in @room bytes of
 * memory. @own_size: for callers that want no size
 */
struct memory_stream {
	char **text;
	size_t *size;
	size_t own_size;
	size_t room;
};

/* Append @nr bytes; 0 without memory, which makes an error of the stream. */
static ssize_t append(void *cookie, const char *bytes, size_t nr)
{
	struct memory_stream *stream = cookie;
	size_t size = *stream->size + nr;

	if (size >= stream->room) {
		char *text = realloc(*stream->text, 2 * size);

		if (!text)
			return 0;
		*stream->text = text;
		stream->room = 2 * size;
	}
	memcpy(*stream->text + *stream->size, bytes, nr);
	(*stream->text)[size] = '\0';
	*stream->size = size;
	return nr;
}

/* The position, for ftell(3), is always the end. */
static int tell(void *cookie, off64_t *offset, int whence)
{
	const struct memory_stream *stream = cookie;

	(void)whence;
	*offset = *stream->size;
	return 0;
}

static int end(void *cookie)
{
	free(cookie);
	return 0;
}

/* A stream of glibc's open_memstream(3) has no error if memory is exhausted. */
FILE *profil_memory_stream(char **text, size_t *size)
{
	static const cookie_io_functions_t functions = {
		.write = append,
		.seek = tell,
		.close = end,
	};
	struct memory_stream *stream = profil_grow(NULL, 1, sizeof(*stream));

	*text = profil_copy_string("");
	*stream = (struct memory_stream){ text, size ?: &stream->own_size,
					  .room = 1 };
	*stream->size = 0;
	return checked(fopencookie(stream, "w", functions));
}

void profil_memory_stream_end(FILE *stream)
{
	if (fflush(stream) || ferror(stream))
		profil_memory_exhausted();
	fclose(stream);
}

void array_sort(void *array, size_t nr, size_t size, array_order *order)
{
	if (nr)
		qsort(array, nr, size, order);
}

/* Bits of the numbers that elements are sorted by at a time */
#define DIGIT 11

static uint64_t number_of(const char *element)
{
	return *(const uint64_t *)(const void *)element;
}

/* Sort @nr elements by DIGIT bits of their numbers from @shift on, from @from to @to. */
static void sort_by_digit(const char *from, char *to, size_t nr, size_t size,
			  unsigned int shift)
{
	const uint64_t mask = (1 << DIGIT) - 1;
	const char *last = from + nr * size;
	size_t places[1 << DIGIT] = { 0 }, place = 0, number;

	for (const char *it = from; it < last; it += size)
		places[number_of(it) >> shift & mask]++;
	for (size_t i = 0; i <= mask; i++) {
		number = places[i];
		places[i] = place;
		place += number;
	}
	for (const char *it = from; it < last; it += size)
		memcpy(to + places[number_of(it) >> shift & mask]++ * size, it,
		       size);
}

void array_sort_numbers(void *array, size_t nr, size_t size)
{
	char *from = array, *other = profil_grow(NULL, nr + 1, size);
	char *to = other, *swap;
	uint64_t differ = 0;

	for (size_t i = 1; i < nr; i++)
		differ |= number_of(from + i * size) ^ number_of(from);
	for (unsigned int shift = 0; shift < 64 && differ >> shift;
	     shift += DIGIT) {
		sort_by_digit(from, to, nr, size, shift);
		swap = from;
		from = to;
		to = swap;
	}
	if (from == other)
		memcpy(array, other, nr * size);
	free(other);
}

size_t array_join(void *array, size_t nr, size_t size, array_order *order,
		  void (*add)(void *to, const void *from))
{
	char *to = array;

	for (size_t i = 1; i < nr; i++) {
		const char *from = (char *)array + i * size;

		if (!order(to, from)) {
			add(to, from);
			continue;
		}
		to += size;
		if (to != from)
			memcpy(to, from, size);
	}
	return nr ? (to - (char *)array) / size + 1 : 0;
}

size_t array_up_to(const void *array, size_t nr, size_t size, uint64_t most)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const uint64_t *number =
			(const void *)((const char *)array + middle * size);

		if (*number <= most)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
