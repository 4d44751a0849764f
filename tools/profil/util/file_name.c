// SPDX-License-Identifier: GPL-2.0-only
/* Names of files in messages */
#include <err.h>
#include <stddef.h>
#include <string.h>

#include "util/array.h"
#include "util/exit_status.h"
#include "util/file_name.h"
#include "util/memory.h"

/* A file that messages have another name of */
struct named_file {
	const char *path;
	const char *name;
};

static struct named_file *files;
static size_t nr_files;

const char *profil_file_name(const char *path)
{
	for (size_t i = 0; i < nr_files; i++)
		if (!strcmp(files[i].path, path))
			return files[i].name;
	return strcmp(path, "-") ? path : "stdin";
}

void profil_file_name_set(const char *path, const char *name)
{
	ARRAY_ADD(files, nr_files, (struct named_file){ path, name });
}

static bool is_stdin(const char *path)
{
	static const char *const names[] = { "-", "/dev/stdin", "/dev/fd/0",
					     "/proc/self/fd/0" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(path, names[i]))
			return true;
	return false;
}

void profil_file_name_check(const char *path)
{
	static bool is_taken;

	if (!is_stdin(path))
		return;
	if (is_taken)
		errx(EXIT_PROFIL,
		     "stdin is named twice, and can be read once: name a file");
	is_taken = true;
}
