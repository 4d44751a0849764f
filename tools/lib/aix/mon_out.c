// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aix/mon_out.h"
#include "gprof/mcount/file_suffix.h"
#include "gprof/mcount/outfile.h"

/* PROFDIR is not for a program with more privilege than its user. */
static int name_first(char *name, size_t size)
{
	const char *directory = secure_getenv("PROFDIR");
	int suffix = profil_origin_suffix();

	if (directory && !*directory)
		return 0;
	if (directory)
		return snprintf(name, size, "%s/%d.%s", directory, getpid(),
				program_invocation_short_name);
	if (suffix)
		return snprintf(name, size, "mon.out.%d", suffix);
	return snprintf(name, size, "mon.out");
}

int profil_monfile_name(char *name, size_t size, uint32_t number)
{
	int length;

	*name = '\0';
	length = name_first(name, size);
	if (number && length && length < (int)size)
		length += snprintf(name + length, size - length, ".%u",
				   number + 1);
	return length < (int)size ? 0 : -ENAMETOOLONG;
}

static void put_long(struct outfile *file, uint64_t value)
{
	unsigned long word = value;

	profil_outfile_put(file, &word, sizeof(word));
}

/* Whether it is of this file; a caller's counters are aligned for shorts only. */
static bool get_call(const struct monfile *monfile, uint32_t i,
		     struct poutcnt *call)
{
	uint64_t fn;

	memcpy(call, monfile->calls + i * sizeof(*call), sizeof(*call));
	fn = (uintptr_t)call->fn;
	return call->count && fn >= monfile->low && fn < monfile->high;
}

static void put_calls(struct outfile *file, const struct monfile *monfile)
{
	struct poutcnt call;

	for (uint32_t i = 0; i < monfile->nr_calls; i++) {
		if (!get_call(monfile, i, &call))
			continue;
		put_long(file, (uintptr_t)call.fn - monfile->base);
		put_long(file, call.count);
	}
}

int profil_monfile_write(const char *name, const struct monfile *monfile)
{
	struct outfile file;
	struct poutcnt call;
	uint64_t functions = 0;

	for (uint32_t i = 0; i < monfile->nr_calls; i++)
		functions += get_call(monfile, i, &call);
	if (profil_outfile_open(&file, name))
		return file.error;
	put_long(&file, monfile->low - monfile->base);
	put_long(&file, monfile->high - monfile->base);
	put_long(&file, functions);
	put_calls(&file, monfile);
	profil_outfile_put(&file, monfile->counters,
			   monfile->nr * sizeof(*monfile->counters));
	return profil_outfile_close(&file);
}
