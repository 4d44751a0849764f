// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Mappings of a process with code, or with room for code, from /proc/PID/maps
 *
 * dl_iterate_phdr() covers only one namespace of the dynamic linker, gives no
 * device and inode to distinguish files of the same name, and in a static program
 * lists only the program.
 *
 * The system calls are bare for the reason given in device.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/proc_maps.h"

/* Parse a number, and skip the character after it. */
static uint64_t number(char **at, int base)
{
	uint64_t value = strtoull(*at, at, base);

	if (**at)
		++*at;
	return value;
}

/* The kernel writes a newline in a name as an octal number. */
static void restore_newlines(char *path)
{
	char *to = path;

	for (; *path; path++) {
		bool is_newline = !strncmp(path, "\\012", 4);

		*to++ = is_newline ? '\n' : *path;
		path += is_newline ? 3 : 0;
	}
	*to = '\0';
}

/* "start-end perms offset major:minor inode     path" */
static bool parse(char *line, struct map *map)
{
	const char *permissions;

	map->start = number(&line, 16);
	map->end = number(&line, 16);
	permissions = line;
	if (strlen(permissions) < 5)
		return false;
	map->executable = permissions[2] == 'x';
	line += 5;
	map->offset = number(&line, 16);
	map->major = number(&line, 16);
	map->minor = number(&line, 16);
	map->inode = number(&line, 10);
	line += strspn(line, " ");
	restore_newlines(line);
	map->path = line;
	/* Anonymous memory that the program has named */
	if (!strncmp(map->path, "[anon:", 6))
		map->path = "";
	if (!*map->path)
		return true;
	return map->executable &&
	       (*map->path == '/' || !strcmp(map->path, "[vdso]"));
}

/* Call @take for the complete lines in @buffer; their size in bytes */
static size_t take_lines(void (*take)(const struct map *map, void *data),
			 void *data, char *buffer, size_t size)
{
	char *line = buffer;
	char *end;

	while ((end = memchr(line, '\n', size - (line - buffer)))) {
		struct map map;

		*end = '\0';
		if (parse(line, &map))
			take(&map, data);
		line = end + 1;
	}
	return line - buffer;
}

static int read_all(int fd, void (*take)(const struct map *map, void *data),
		    void *data, char *buffer, size_t size)
{
	size_t have = 0;

	for (;;) {
		ssize_t got = syscall(SYS_read, fd, buffer + have, size - have);
		size_t used;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? -errno : 0;
		have += got;
		used = take_lines(take, data, buffer, have);
		have -= used;
		memmove(buffer, buffer + used, have);
		if (have == size)
			return -EOVERFLOW;
	}
}

int profil_proc_maps(const char *maps,
		     void (*take)(const struct map *map, void *data),
		     void *data, char *buffer, size_t size)
{
	int fd = syscall(SYS_openat, AT_FDCWD, maps, O_RDONLY | O_CLOEXEC, 0);
	int ret;

	if (fd < 0)
		return -errno;
	ret = read_all(fd, take, data, buffer, size);
	syscall(SYS_close, fd);
	return ret;
}
