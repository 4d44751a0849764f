// SPDX-License-Identifier: GPL-2.0-only
/* Allocation that never fails */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/exit_status.h"
#include "util/memory.h"

/* errx() of this command makes its message in memory. */
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

char *profil_copy_string(const char *string)
{
	return checked(strdup(string));
}

FILE *profil_memory_stream(char **text, size_t *size)
{
	return checked(open_memstream(text, size));
}
