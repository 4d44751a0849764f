// SPDX-License-Identifier: GPL-2.0-only
/* The command line of a process, from /proc */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/attached_command.h"
#include "util/memory.h"

/* A program that sets its title fills the rest with blanks. */
static void trim(char *string)
{
	size_t length = strlen(string);

	while (length && string[length - 1] == ' ')
		string[--length] = '\0';
}

/* The strings of a file, each with a zero byte at its end */
static char **read_strings(const char *path, char end)
{
	FILE *file = fopen(path, "re");
	char **strings = profil_grow(NULL, 1, sizeof(*strings));
	char *string = NULL;
	size_t nr = 0, room = 0;

	while (file && getdelim(&string, &room, end, file) > 0) {
		string[strcspn(string, "\n")] = '\0';
		strings = profil_grow(strings, nr + 2, sizeof(*strings));
		strings[nr++] = profil_copy_string(string);
	}
	if (nr)
		trim(strings[nr - 1]);
	strings[nr] = NULL;
	free(string);
	if (file)
		fclose(file);
	return strings;
}

char **profil_attached_command(pid_t pid)
{
	char path[32];
	char **argv;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	argv = read_strings(path, '\0');
	if (*argv && **argv)
		return argv;
	free(argv);
	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	return read_strings(path, '\n');
}
