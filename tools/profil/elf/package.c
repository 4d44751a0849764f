// SPDX-License-Identifier: GPL-2.0-only
/* Package with the debugging symbols of a file, on systems with dpkg */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/package.h"

#define TEXT 4096

static bool prepare(posix_spawn_file_actions_t *actions, int output)
{
	return !posix_spawn_file_actions_init(actions) &&
	       !posix_spawn_file_actions_adddup2(actions, output, 1) &&
	       !posix_spawn_file_actions_addopen(actions, 2, "/dev/null",
						 O_WRONLY, 0);
}

static void read_all(int fd, char text[TEXT])
{
	size_t size = 0;
	ssize_t got = 0;

	do {
		size += got;
		got = read(fd, text + size, TEXT - 1 - size);
	} while (got > 0);
	text[size] = '\0';
}

/*
 * Run @argv, and store the beginning of its output in @text, also if it fails;
 * false if it fails or does not exist.
 */
static bool ask(char *const argv[], char text[TEXT])
{
	posix_spawn_file_actions_t actions;
	int ends[2], status = -1;
	bool started;
	pid_t pid;

	*text = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return false;
	started = prepare(&actions, ends[1]) &&
		  !posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (started)
		read_all(ends[0], text);
	close(ends[0]);
	return started && waitpid(pid, &status, 0) == pid && !status;
}

/*
 * Find the package of @path. Since /lib and /bin became links to /usr, the path
 * in a package may lack /usr. dpkg-query prints "package:architecture: path".
 */
static bool find_owner(const char *path, char text[TEXT])
{
	char *argv[4] = { "dpkg-query", "-S", (char *)path };
	bool found = ask(argv, text);

	if (!found && !strncmp(path, "/usr/", 5)) {
		argv[2] += 4;
		found = ask(argv, text);
	}
	text[strcspn(text, ":,\n ")] = '\0';
	return found && *text;
}

/* @name is a line of @text. */
static bool is_listed(const char *text, const char *name)
{
	size_t length = strlen(name);

	while (*text) {
		size_t line = strcspn(text, "\n");

		if (line == length && !memcmp(text, name, length))
			return true;
		text += line + (text[line] == '\n');
	}
	return false;
}

bool profil_package_of_symbols(const char *path, char *name, size_t size)
{
	static const char *const suffixes[] = { "-dbgsym", "-dbg" };
	char owner[TEXT], text[TEXT];
	char *argv[4] = { "apt-cache", "pkgnames", name };

	if (*path != '/' || !find_owner(path, owner))
		return false;
	snprintf(name, size, "%.*s-dbg", (int)size - 8, owner);
	if (!ask(argv, text))
		return false;
	for (size_t i = 0; i < 2; i++) {
		snprintf(name, size, "%.*s%s", (int)size - 8, owner,
			 suffixes[i]);
		if (is_listed(text, name))
			return true;
	}
	return false;
}
