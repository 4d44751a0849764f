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

/* A program with more privilege than its user ignores PROFDIR. */
static int name_first(char *name, size_t size)
{
	const char *directory = secure_getenv("PROFDIR");
	int suffix = profil_file_suffix();

	if (directory && !*directory)
		return 0;
	if (directory)
		return snprintf(name, size, "%s/%d.%s", directory, getpid(),
				program_invocation_short_name);
	if (suffix)
		return snprintf(name, size, "mon.out.%d", suffix);
	return snprintf(name, size, "mon.out");
}

int profil_mon_out_name(char *name, size_t size, uint32_t number)
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

/* Read call @i, which may be misaligned; whether it belongs to this file. */
static bool get_call(const struct mon_out *mon_out, uint32_t i,
		     struct poutcnt *call)
{
	uint64_t fn;

	memcpy(call, mon_out->calls + i * sizeof(*call), sizeof(*call));
	fn = (uintptr_t)call->fn;
	return call->count && fn >= mon_out->low && fn < mon_out->high;
}

static void put_calls(struct outfile *file, const struct mon_out *mon_out)
{
	struct poutcnt call;

	for (uint32_t i = 0; i < mon_out->nr_calls; i++) {
		if (!get_call(mon_out, i, &call))
			continue;
		put_long(file, (uintptr_t)call.fn - mon_out->base);
		put_long(file, call.count);
	}
}

int profil_mon_out_write(const char *name, const struct mon_out *mon_out)
{
	struct outfile file;
	struct poutcnt call;
	uint64_t functions = 0;

	for (uint32_t i = 0; i < mon_out->nr_calls; i++)
		functions += get_call(mon_out, i, &call);
	if (profil_outfile_open(&file, name))
		return file.error;
	put_long(&file, mon_out->low - mon_out->base);
	put_long(&file, mon_out->high - mon_out->base);
	put_long(&file, functions);
	put_calls(&file, mon_out);
	profil_outfile_put(&file, mon_out->counters,
			   mon_out->nr * sizeof(*mon_out->counters));
	return profil_outfile_close(&file);
}
