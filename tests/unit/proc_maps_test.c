// SPDX-License-Identifier: GPL-2.0-only
/* Lines of /proc/PID/maps, in written files */
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/proc_maps.h"
#include "tap.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/* The kernel's line for numbers of the greatest length, up to the path */
#define NUMBERS                                                              \
	"ffffffffff600000-ffffffffff601000 r-xp ffffffffffffffff fff:fffff " \
	"18446744073709551615 "

static char path[32];
static char buffer[PROC_MAPS_LINE];

/* Write a short line, one with a path of @length bytes, and a short one. */
static bool write_lines(size_t length)
{
	FILE *out;

	snprintf(path, sizeof(path), "/tmp/profil-maps-XXXXXX");
	out = fdopen(mkstemp(path), "w");
	CHECK(out);
	fprintf(out, "1000-2000 r-xp 0 8:1 3     /one\n" NUMBERS "/");
	for (size_t i = 1; i < length; i++)
		fputc("\\012"[(i - 1) % 4], out);
	fprintf(out, "\n3000-4000 r-xp 0 8:1 3     /two\n");
	return !fclose(out);
}

static void count(const struct map *map, void *data)
{
	size_t *bytes = data;

	*bytes += strlen(map->path);
}

/* Bytes of the paths that are found, or -errno */
static long read_lines(void)
{
	size_t bytes = 0;
	int ret = profil_proc_maps(path, count, &bytes, buffer, sizeof(buffer));

	unlink(path);
	return ret ? ret : (long)bytes;
}

/* The kernel writes a newline of a name as \012, and the reader takes it back. */
TEST("a path of newlines is read, and the lines after it")
{
	size_t newlines = PATH_MAX - 2;

	CHECK(write_lines(1 + 4 * newlines));
	CHECK_EQUAL(1 + newlines + 8, (size_t)read_lines());
	return true;
}

TEST("a line that is longer than the buffer is an error")
{
	CHECK(write_lines(PROC_MAPS_LINE));
	CHECK_EQUAL(-EOVERFLOW, read_lines());
	return true;
}

/* Append the path, and a bar. */
static void append(const struct map *map, void *data)
{
	char *text = data;

	strcat(strcat(text, map->path), "|");
}

/* "[anon:" begins the name that a program has given to its memory. */
TEST("a newline is one in a path, and named memory has no path")
{
	char text[64] = "";
	FILE *out;

	snprintf(path, sizeof(path), "/tmp/profil-maps-XXXXXX");
	out = fdopen(mkstemp(path), "w");
	CHECK(out);
	fprintf(out, "1000-2000 r-xp 0 8:1 3     /a\\012b\n"
		     "2000-3000 rwxp 0 0:0 0     [anon:code]\n"
		     "3000-4000 rwxp 0 0:0 0     [stack]\n");
	CHECK(!fclose(out));
	CHECK_EQUAL(0, profil_proc_maps(path, append, text, buffer,
					sizeof(buffer)));
	unlink(path);
	CHECK(!strcmp(text, "/a\nb||"));
	return true;
}
