/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every file of the command needs: the C library, memory, arrays that grow by one
 * element at a time and are sorted, the order of numbers, and exit statuses
 */
#ifndef PROFIL_BASE_H
#define PROFIL_BASE_H

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/message.h"

/* Exit with the message of a failed allocation. */
void profil_memory_exhausted(void) __attribute__((noreturn));

/* Allocation that exits with a message on failure; of profil_zeros() all bytes are 0 */
void *profil_grow(void *array, size_t elements, size_t size);
void *profil_zeros(size_t elements, size_t size);
char *profil_copy_string(const char *string);

/* Text as of printf(3), to be freed */
char *profil_format(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/*
 * As open_memstream(3); @text and @size, which may be NULL, are set by
 * profil_memory_stream_end(), which exits with a message if memory was exhausted.
 */
FILE *profil_memory_stream(char **text, size_t *size);
void profil_memory_stream_end(FILE *stream);

/* Room in @array for one element more than @nr; the room is a power of two. */
static inline void *array_room(void *array, size_t nr, size_t size)
{
	if (nr & (nr - 1))
		return array;
	return profil_grow(array, nr ? 2 * nr : 1, size);
}

/* Append an element, the rest of the arguments, to @array of @nr elements. */
#define ARRAY_ADD(array, nr, ...)                               \
	((array) = array_room((array), (nr), sizeof(*(array))), \
	 (array)[(nr)++] = (__VA_ARGS__))

static inline uint64_t lesser(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/* Order of two numbers, for qsort(3) */
static inline int compare_numbers(uint64_t one, uint64_t other)
{
	return (one > other) - (one < other);
}

static inline int compare_reals(double one, double other)
{
	return (one > other) - (one < other);
}

/* Order of two elements, as of qsort(3) */
typedef int array_order(const void *one, const void *other);

/* As qsort(3); @array may be NULL if it has no elements. */
void array_sort(void *array, size_t nr, size_t size, array_order *order);

/*
 * Sort the elements by their first member, a uint64_t; equal ones keep their order. In
 * O(n) for numbers whose highest bits are equal, as of addresses in a file.
 */
void array_sort_numbers(void *array, size_t nr, size_t size);

/*
 * Join neighbours in the sorted @array that are equal by @order: @add adds the second
 * one to the first one. The number of elements that are left.
 */
size_t array_join(void *array, size_t nr, size_t size, array_order *order,
		  void (*add)(void *to, const void *from));

/*
 * Number of elements whose first member, a uint64_t by which @array is sorted, is
 * @most or less, in O(log n)
 */
size_t array_up_to(const void *array, size_t nr, size_t size, uint64_t most);

/* The four for an array whose type has the size of an element */
#define ARRAY_SORT(array, nr, order) \
	array_sort((array), (nr), sizeof(*(array)), (order))
#define ARRAY_SORT_NUMBERS(array, nr) \
	array_sort_numbers((array), (nr), sizeof(*(array)))
#define ARRAY_JOIN(array, nr, order, add) \
	array_join((array), (nr), sizeof(*(array)), (order), (add))
#define ARRAY_UP_TO(array, nr, most) \
	array_up_to((array), (nr), sizeof(*(array)), (most))

/* Exit statuses of profil itself, as of env(1) and timeout(1) */
#define EXIT_PROFIL 125
#define EXIT_NOT_RUNNABLE 126
#define EXIT_NOT_FOUND 127

#endif
