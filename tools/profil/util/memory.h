/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PROFIL_MEMORY_H
#define PROFIL_MEMORY_H

#include <stddef.h>
#include <stdio.h>

/* Exit with the message of a failed allocation. */
void profil_memory_exhausted(void) __attribute__((noreturn));

/* Allocation that exits with a message on failure */
void *profil_grow(void *array, size_t elements, size_t size);
char *profil_copy_string(const char *string);

/*
 * As open_memstream(3); @text and @size are set by profil_memory_stream_end(), which
 * exits with a message if memory was exhausted.
 */
FILE *profil_memory_stream(char **text, size_t *size);
void profil_memory_stream_end(FILE *stream);

#endif
