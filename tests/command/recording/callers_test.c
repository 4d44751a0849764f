// SPDX-License-Identifier: GPL-2.0-only
/* Rows of files for the driver, whose answers are made here */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "elf/frame_rows.h"
#include "elf/needed.h"
#include "elf/symbols.h"
#include "record/callers.h"
#include "record/recorder.h"
#include "tap.h"
#include "util/clock.h"

#define MOST 300

/*
 * Rows that were loaded, the files of descriptors, and the file that is wanted, if its kind
 * is not 0
 */
static struct profil_rows loaded[MOST];
static struct profil_row *rows[MOST];
static struct stat files[MOST];
static size_t nr;
static struct profil_wanted wanted;
static char wanted_path[PATH_MAX];

/* Files that have room, and the generations of those whose rows were removed */
static size_t room = MOST;
static uint32_t removed[MOST];
static size_t nr_removed;

static void keep(const struct profil_rows *it)
{
	size_t size = it->nr_rows * sizeof(**rows);

	if (nr == MOST)
		abort();
	loaded[nr] = *it;
	if (it->kind == PROFIL_ROWS_BY_FD && fstat(it->inode, &files[nr]))
		abort();
	rows[nr] = malloc(size);
	memcpy(rows[nr++], (void *)(uintptr_t)it->rows, size);
}

static int answer_wanted(struct profil_wanted *it)
{
	if (!wanted.kind) {
		errno = EAGAIN;
		return -1;
	}
	wanted.room = it->room;
	wanted.path = it->path;
	memcpy((char *)(uintptr_t)it->path, wanted_path, PATH_MAX);
	*it = wanted;
	wanted.kind = 0;
	return 0;
}

static int load_or_remove(const struct profil_rows *it)
{
	if (!it->nr_rows) {
		removed[nr_removed++] = it->generation;
		return 0;
	}
	if (nr - nr_removed == room) {
		errno = ENOSPC;
		return -1;
	}
	keep(it);
	return 0;
}

/* Nanoseconds that the clock is fast */
static uint64_t ahead_ns;

int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	int result = syscall(SYS_clock_gettime, clock, time);

	time->tv_sec += ahead_ns / SECOND;
	return result;
}

int __wrap_ioctl(int fd, unsigned long command, ...)
{
	va_list arguments;
	void *argument;

	va_start(arguments, command);
	argument = va_arg(arguments, void *);
	va_end(arguments);
	if (fd == -1 && command == PROFIL_TABLE_IOC_ROWS)
		return load_or_remove(argument);
	if (fd == -1 && command == PROFIL_TABLE_IOC_WANTED)
		return answer_wanted(argument);
	errno = EINVAL;
	return -1;
}

/* A child is killed when it has written a part of its answer. */
static bool is_killed;

ssize_t __wrap_write(int fd, const void *bytes, size_t size)
{
	ssize_t done = syscall(SYS_write, fd, bytes,
			       is_killed ? sizeof(struct profil_row) : size);

	if (is_killed)
		__builtin_trap();
	return done;
}

static const struct table table = { .fd = -1, .has_callers = true };

static void forget(void)
{
	while (nr)
		free(rows[--nr]);
	nr_removed = 0;
}

/* The rows that were loaded as the ones with the index @i are those of @path. */
static bool has_rows_of(size_t i, const char *path)
{
	struct symbols *symbols = profil_symbols_open(path, NULL);
	struct frame_rows due;

	profil_frame_rows_read(&due, symbols->elf, NATIVE_MACHINE);
	CHECK(due.nr > 1 && i < nr);
	CHECK_EQUAL(due.nr, loaded[i].nr_rows);
	CHECK(!memcmp(rows[i], due.array, due.nr * sizeof(*due.array)));
	profil_frame_rows_free(&due);
	profil_symbols_close(symbols);
	return true;
}

/* Index of what was loaded for the file @path, or @nr */
static size_t loaded_for(const char *path)
{
	struct stat status;
	size_t i = 0;

	if (stat(path, &status))
		return nr;
	while (i < nr && (loaded[i].kind != PROFIL_ROWS_BY_FD ||
			  files[i].st_ino != status.st_ino ||
			  files[i].st_dev != status.st_dev))
		i++;
	return i;
}

TEST("a command, its libraries and the vDSO have rows before it is executed")
{
	static const char libc[] = "/lib/x86_64-linux-gnu/libc.so.6";
	static const char loader[] = "/lib64/ld-linux-x86-64.so.2";

	profil_callers_load(&table, "/proc/self/exe");
	CHECK(has_rows_of(loaded_for("/proc/self/exe"), "/proc/self/exe"));
	CHECK(has_rows_of(loaded_for(libc), libc));
	CHECK(has_rows_of(loaded_for(loader), loader));
	CHECK_EQUAL(0, loaded[loaded_for(libc)].device);
	CHECK_EQUAL(0, loaded[loaded_for(libc)].file_size);
	CHECK(has_rows_of(nr - 1, "[vdso]"));
	CHECK_EQUAL(PROFIL_NAME_SPECIAL, loaded[nr - 1].kind);
	CHECK(!memcmp(&loaded[nr - 1].inode, "[vdso]\0", 8));
	CHECK_EQUAL(0, loaded[nr - 1].device);
	forget();
	return true;
}

TEST("a command that is no program has the rows of the vDSO alone")
{
	FILE *script = fopen("script", "we");

	fputs("#!/bin/sh\n", script);
	CHECK(!fchmod(fileno(script), 0700) && !fclose(script));
	profil_callers_load(&table, "./script");
	CHECK_EQUAL(1, nr);
	forget();
	return !unlink("script");
}

TEST("processes, each of their files and the vDSO have rows before they are recorded")
{
	static const char libc[] = "/lib/x86_64-linux-gnu/libc.so.6";
	long pids[] = { getpid(), getpid() };
	const struct option_numbers these = { .items = pids, .nr = 2 };
	const struct option_numbers none = { 0 };
	size_t at, again;

	profil_callers_attach(&table, &none);
	CHECK_EQUAL(0, nr);
	profil_callers_attach(&table, &these);
	at = loaded_for(libc);
	CHECK(has_rows_of(at, libc));
	CHECK(has_rows_of(loaded_for("/proc/self/exe"), "/proc/self/exe"));
	CHECK(has_rows_of(nr - 1, "[vdso]"));
	for (again = at + 1; again < nr - 1; again++)
		CHECK(files[again].st_ino != files[at].st_ino);
	forget();
	return true;
}

static void serve_with(const struct table *of, struct compiling *compiling)
{
	do
		profil_callers_serve(of, compiling);
	while (compiling->is_busy && compiling->child.socket >= 0);
}

/* Load the rows of all files that are wanted. */
static void serve(const struct table *of)
{
	struct compiling compiling = { 0 };

	serve_with(of, &compiling);
	profil_callers_end(&compiling);
}

TEST("a table without callers gets no rows")
{
	static const struct table other = { .fd = -1 };

	wanted.kind = PROFIL_NAME_FILE;
	profil_callers_load(&other, "/proc/self/exe");
	serve(&other);
	CHECK_EQUAL(0, nr);
	CHECK_EQUAL(PROFIL_NAME_FILE, wanted.kind);
	return true;
}

/* Want the file @path, which this process maps. */
static void want(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		abort();
	snprintf(wanted_path, sizeof(wanted_path), "%s", path);
	wanted = (struct profil_wanted){
		.kind = PROFIL_NAME_FILE,
		.pid = getpid(),
		.device = status.st_dev,
		.inode = status.st_ino,
		.file_size = status.st_size,
		.mtime_ns = status.st_mtim.tv_sec * 1000000000ULL +
			    status.st_mtim.tv_nsec,
		.generation = 5,
	};
}

TEST("a file that the driver wants has rows, by the key that it gave")
{
	static const char libc[] = "/lib/x86_64-linux-gnu/libc.so.6";

	want(libc);
	serve(&table);
	CHECK_EQUAL(1, nr);
	CHECK(has_rows_of(0, libc));
	CHECK_EQUAL(5, loaded[0].generation);
	CHECK_EQUAL(0, wanted.kind);
	forget();
	return true;
}

/* Want a file, the one of @generation, and serve. */
static void serve_version(struct compiling *compiling, uint32_t generation)
{
	want("/proc/self/exe");
	wanted.generation = generation;
	serve_with(&table, compiling);
}

TEST("rows take the place of those that were loaded first, and not lately")
{
	struct compiling compiling = { 0 };

	room = 3;
	for (uint32_t i = 1; i <= 3; i++)
		serve_version(&compiling, i);
	CHECK_EQUAL(3, nr);
	for (uint32_t i = 4; i <= 5; i++)
		serve_version(&compiling, i);
	CHECK_EQUAL(3, nr);
	CHECK_EQUAL(0, nr_removed);
	/* The rows of the fourth file wait, and the fifth is still wanted. */
	CHECK_EQUAL(PROFIL_NAME_FILE, wanted.kind);
	ahead_ns += 11 * SECOND;
	serve_with(&table, &compiling);
	CHECK_EQUAL(5, nr);
	CHECK_EQUAL(2, nr_removed);
	CHECK(removed[0] == 1 && removed[1] == 2);
	CHECK(loaded[3].generation == 4 && loaded[4].generation == 5);
	serve_version(&compiling, 6);
	CHECK(removed[2] == 3 && loaded[5].generation == 6);
	serve_version(&compiling, 7);
	CHECK_EQUAL(6, nr);
	CHECK(compiling.is_busy);
	profil_callers_end(&compiling);
	room = MOST;
	forget();
	return true;
}

TEST("another version of a file that the driver wants has no rows")
{
	want("/lib/x86_64-linux-gnu/libc.so.6");
	wanted.mtime_ns++;
	serve(&table);
	CHECK_EQUAL(0, nr);
	CHECK_EQUAL(0, wanted.kind);
	return true;
}

TEST("a file whose child was killed has no rows, whatever it had written")
{
	want("/lib/x86_64-linux-gnu/libc.so.6");
	is_killed = true;
	serve(&table);
	is_killed = false;
	CHECK_EQUAL(0, nr);
	return true;
}

TEST("a file that is no program has no rows")
{
	want("/etc/passwd");
	serve(&table);
	CHECK_EQUAL(0, wanted.kind);
	CHECK_EQUAL(0, nr);
	return true;
}

TEST("the vDSO has rows if the driver wants them")
{
	snprintf(wanted_path, sizeof(wanted_path), "[vdso]");
	wanted = (struct profil_wanted){ .kind = PROFIL_NAME_SPECIAL };
	serve(&table);
	CHECK_EQUAL(1, nr);
	forget();
	return true;
}

/* The paths that ldd(1) prints for @program, less those that were found */
static bool is_as_ldd(const char *program)
{
	char command[PATH_MAX + 50], line[PATH_MAX];
	char *paths[NEEDED_FILES];
	size_t found = profil_needed_find(program, paths), seen = 1;
	FILE *ldd;

	snprintf(command, sizeof(command),
		 "ldd %s | grep -o '/[^ ]*' | xargs -n 1 realpath", program);
	ldd = popen(command, "re");
	while (fgets(line, sizeof(line), ldd)) {
		size_t i = 0;

		line[strcspn(line, "\n")] = '\0';
		while (i < found && strcmp(paths[i], line))
			i++;
		if (i == found)
			tap_note("%s: %s is not found", program, line);
		CHECK(i < found);
		seen++;
	}
	CHECK(!pclose(ldd));
	CHECK_EQUAL(seen, found);
	while (found)
		free(paths[--found]);
	return true;
}

/* Another library of this name is in a directory that is behind the list, and not in it. */
TEST("the files that a program needs are those of ldd")
{
	static const char *const programs[] = { "/usr/bin/git", "/usr/bin/gdb",
						"/usr/bin/node",
						"/usr/bin/perl" };
	static const char list[] = "LD_LIBRARY_PATH=/nowhere:/nor/here\0.";
	char *variable = memcpy(malloc(sizeof(list)), list, sizeof(list));

	CHECK(!system("cp $(ldd /bin/bash | grep -o '/[^ ]*/libc.so.6') ."));
	CHECK(!putenv(variable));
	for (size_t i = 0; i < ARRAY_LENGTH(programs); i++)
		CHECK(access(programs[i], X_OK) || is_as_ldd(programs[i]));
	return is_as_ldd("/bin/bash") && !unlink("libc.so.6");
}
