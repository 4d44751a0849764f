// SPDX-License-Identifier: GPL-2.0-only
/* Map of generated code, /tmp/perf-PID.map */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/openat2.h>

#include "resolve/perf_map.h"
#include "util/interrupt.h"
#include "util/regular_file.h"

/* Upper limit of bytes that are read */
#define MAX_BYTES 0x40000000

static bool is_trusted(int fd, const struct perf_map_origin *origin)
{
	struct stat status;
	uint64_t written_ns;

	if (fstat(fd, &status) ||
	    (status.st_uid != geteuid() && status.st_uid != origin->owner))
		return false;
	written_ns =
		status.st_mtim.tv_sec * 1000000000ULL + status.st_mtim.tv_nsec;
	return written_ns >= origin->begin_ns;
}

/* No link of the other root directory leads out of it. */
static int open_in_root(int directory, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned int)flags,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
	};

	return syscall(SYS_openat2, directory, path, &how, sizeof(how));
}

/*
 * Descriptor that only names the file. Filters of system calls may be older than
 * openat2(), which the own root directory does not need.
 */
static int find_below(const char *root, const char *path)
{
	int flags = O_PATH | O_CLOEXEC | O_NOFOLLOW;
	int directory = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (directory < 0)
		return -1;
	fd = strcmp(root, "/") ? open_in_root(directory, path, flags) :
				 openat(directory, path, flags);
	close(directory);
	return fd;
}

static FILE *open_found(int found)
{
	int fd = profil_regular_file_reopen(found);
	FILE *map;

	if (fd < 0)
		return NULL;
	map = fdopen(fd, "r");
	if (!map)
		close(fd);
	return map;
}

/* A container may have made a device of that name. */
FILE *profil_perf_map_open(const struct perf_map_origin *origin)
{
	FILE *map = NULL;
	char path[64];
	int found;

	snprintf(path, sizeof(path), "tmp/perf-%u.map", origin->pid);
	found = find_below(origin->root, path);
	if (found < 0)
		return NULL;
	if (is_trusted(found, origin))
		map = open_found(found);
	close(found);
	return map;
}

/* Number in hexadecimal at *@text, which is moved behind the number */
static bool read_number(char **text, uint64_t *number)
{
	char *end;

	if (!strspn(*text, "0123456789abcdefABCDEF"))
		return false;
	errno = 0;
	*number = strtoull(*text, &end, 16);
	if (errno || *end != ' ')
		return false;
	*text = end + 1;
	return true;
}

static bool parse(char *text, struct perf_map_line *line)
{
	text[strcspn(text, "\n")] = '\0';
	if (!read_number(&text, &line->start) ||
	    !read_number(&text, &line->size))
		return false;
	line->name = text;
	return *text && line->size && line->size <= UINT64_MAX - line->start;
}

/* Skip the rest of a line that did not fit in @text; bytes that were read */
static size_t finish_line(FILE *map, const char *text)
{
	size_t skipped = 0;

	if (strchr(text, '\n'))
		return 0;
	for (int byte = getc(map); byte != EOF && byte != '\n';
	     byte = getc(map))
		skipped++;
	return skipped;
}

void profil_perf_map_read(FILE *map,
			  void (*use)(void *data,
				      const struct perf_map_line *line),
			  void *data)
{
	char text[PERF_MAP_LINE];
	size_t bytes = 0;

	while (bytes < MAX_BYTES && !profil_interrupted() &&
	       fgets(text, sizeof(text), map)) {
		struct perf_map_line line;

		bytes += strlen(text) + finish_line(map, text);
		if (parse(text, &line))
			use(data, &line);
	}
}
