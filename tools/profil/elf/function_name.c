// SPDX-License-Identifier: GPL-2.0-only
/* Names of functions in a profile */
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/function_name.h"
#include "util/memory.h"
#include "util/text.h"

/* Free @name and return its printable form. */
static char *printable(char *name)
{
	char *copy = profil_text_printable(name);

	free(name);
	return copy;
}

/* LLVM marks a local function that another module of the link calls. */
static void cut_llvm(char *name)
{
	char *mark = strstr(name, ".llvm.");
	size_t digits = mark ? strspn(mark + 6, "0123456789") : 0;

	if (digits && !mark[6 + digits])
		*mark = '\0';
}

/* An exported symbol may have a version. */
static void cut_version(char *name)
{
	char *at = strchr(name, '@');

	if (at && at > name)
		*at = '\0';
}

char *profil_demangle(const char *symbol)
{
	char *name = profil_copy_string(symbol);
	char *demangled;

	cut_version(name);
	cut_llvm(name);
	demangled = cplus_demangle(name, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO);
	if (!demangled)
		return printable(name);
	free(name);
	return printable(demangled);
}

char *profil_function_name(const char *path, const struct location *location)
{
	char name[512];

	if (location->name)
		return profil_demangle(location->name);
	snprintf(name, sizeof(name), "%.480s+0x%" PRIx64,
		 profil_text_base(path), location->address);
	return profil_text_printable(name);
}
