// SPDX-License-Identifier: GPL-2.0-only
/* Packages with the missing symbols of a profile's files */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "resolve/resolve.h"
#include "util/interrupt.h"
#include "util/memory.h"

#define TEXT 4096

static bool prepare(posix_spawn_file_actions_t *actions, int output)
{
	return !posix_spawn_file_actions_init(actions) &&
	       !posix_spawn_file_actions_adddup2(actions, output, 1) &&
	       !posix_spawn_file_actions_addopen(actions, 2, "/dev/null",
						 O_WRONLY, 0);
}

/* The signals that profil waits for are blocked, and would not end the program. */
static bool start(pid_t *pid, char *const argv[],
		  const posix_spawn_file_actions_t *actions)
{
	posix_spawnattr_t attributes;
	sigset_t none;
	bool started;

	sigemptyset(&none);
	if (posix_spawnattr_init(&attributes))
		return false;
	started = !posix_spawnattr_setflags(&attributes,
					    POSIX_SPAWN_SETSIGMASK) &&
		  !posix_spawnattr_setsigmask(&attributes, &none) &&
		  !posix_spawnp(pid, argv[0], actions, &attributes, argv,
				environ);
	posix_spawnattr_destroy(&attributes);
	return started;
}

/* A signal that ends the lookup of names ends the reading, too. */
static void read_all(int fd, char text[TEXT])
{
	size_t size = 0;
	ssize_t got;

	do {
		got = read(fd, text + size, TEXT - 1 - size);
		size += got > 0 ? got : 0;
	} while (got > 0 ||
		 (got < 0 && errno == EINTR && !profil_interrupted()));
	text[size] = '\0';
}

/* The program ends, as its output is not read any more. */
static bool succeeds(pid_t pid)
{
	int status;
	pid_t ended;

	do {
		ended = waitpid(pid, &status, 0);
	} while (ended < 0 && errno == EINTR);
	return ended == pid && !status;
}

/*
 * Run @argv, and store the beginning of its output in @text, also if it fails;
 * false if it fails or does not exist.
 */
static bool ask(char *const argv[], char text[TEXT])
{
	posix_spawn_file_actions_t actions;
	bool started;
	int ends[2];
	pid_t pid;

	*text = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return false;
	started = prepare(&actions, ends[1]) && start(&pid, argv, &actions);
	posix_spawn_file_actions_destroy(&actions);
	close(ends[1]);
	if (started)
		read_all(ends[0], text);
	close(ends[0]);
	return started && succeeds(pid);
}

/* Copy of @path, to be freed, which dpkg-query does not take for a pattern */
static char *escape(const char *path)
{
	char *copy = profil_grow(NULL, strlen(path) + 1, 2);
	char *to = copy;

	for (; *path; *to++ = *path++)
		if (strchr("*?[\\", *path))
			*to++ = '\\';
	*to = '\0';
	return copy;
}

/*
 * Find the package of @path. Since /lib and /bin became links to /usr, the path
 * in a package may lack /usr. dpkg-query prints "package:architecture: path".
 */
static bool find_owner(const char *path, char text[TEXT])
{
	char *escaped = escape(path);
	char *argv[4] = { "dpkg-query", "-S", escaped };
	bool found = ask(argv, text);

	if (!found && !strncmp(path, "/usr/", 5)) {
		argv[2] += 4;
		found = ask(argv, text);
	}
	free(escaped);
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

/* Percent of all samples: files with less in nameless functions get no package */
#define SHARE 2

/* Upper limit of packages that are looked up, since each takes a moment */
#define MAX_PACKAGES 3

static void look_up(struct profile *profile, struct profile_object *object)
{
	char name[128];

	object->is_package_known = true;
	if (profil_package_of_symbols(object->path, name, sizeof(name)))
		object->package = profil_profile_string(profile, name);
}

void profil_resolve_packages(struct profile *profile)
{
	uint64_t total = profil_profile_total(profile);
	struct naming *namings;
	int asked = 0;

	/* The table is not taken meanwhile, and files may be those of containers. */
	if (profile->head.table == TABLE_MACHINE)
		return;
	namings = profil_profile_namings(profile);
	for (uint32_t i = 0; i < profile->nr_objects; i++) {
		struct profile_object *object = &profile->objects[i];

		if (object->kind != PROFILE_FILE ||
		    object->names != PROFILE_NAMES_READ ||
		    object->is_package_known ||
		    namings[i].nameless * 100 <= total * SHARE ||
		    profil_interrupted() || asked++ >= MAX_PACKAGES)
			continue;
		look_up(profile, object);
	}
	free(namings);
}
