// SPDX-License-Identifier: GPL-2.0-only
#include "tap.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef bool (*passes_fn)(const struct tap_test *test, size_t index);

static struct tap_test *first, *last;
static size_t nr_tests;

void tap_add(struct tap_test *test)
{
	if (last)
		last->next = test;
	else
		first = test;
	last = test;
	nr_tests++;
}

/*
 * What a test may not leave, nor the code that it calls: open descriptors, children, and
 * files in its directory, which is empty at first. /proc is not used: a test may have
 * another root directory, or filters of system calls.
 */
#define DESCRIPTORS 256

static bool leaves_descriptors(const bool *before)
{
	bool leaves = false;

	for (int fd = 0; fd < DESCRIPTORS; fd++) {
		if (before[fd] || fcntl(fd, F_GETFD) < 0)
			continue;
		tap_note("descriptor %d is left", fd);
		leaves = true;
	}
	return leaves;
}

static bool leaves_children(void)
{
	pid_t child = waitpid(-1, NULL, WNOHANG | __WALL);

	if (child >= 0)
		tap_note("a child is left, %s",
			 child ? "as a zombie" : "running");
	return child >= 0;
}

static bool passes_and_leaves_nothing(const struct tap_test *test, size_t index,
				      passes_fn passes)
{
	bool before[DESCRIPTORS];

	for (int fd = 0; fd < DESCRIPTORS; fd++)
		before[fd] = fcntl(fd, F_GETFD) >= 0;
	if (!passes(test, index))
		return false;
	return !leaves_descriptors(before) & !leaves_children();
}

__attribute__((weak)) bool tap_may_leave(const char *name)
{
	(void)name;
	return false;
}

/* Remove the files of the working directory; true if there was one that may not be. */
static bool leaves_files(void)
{
	DIR *directory = opendir(".");
	struct dirent *entry;
	bool leaves = false;

	while (directory && (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		remove(entry->d_name);
		if (tap_may_leave(entry->d_name))
			continue;
		tap_note("the file %s is left", entry->d_name);
		leaves = true;
	}
	if (directory)
		closedir(directory);
	return leaves;
}

/* A profile that a test leaves switched on ends with the test's process. */
static bool passes_in_child(const struct tap_test *test, size_t index,
			    passes_fn passes)
{
	pid_t child = fork();
	int status;

	if (!child)
		exit(passes_and_leaves_nothing(test, index, passes) ?
			     EXIT_SUCCESS :
			     EXIT_FAILURE);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status))
		tap_note("killed by signal %d", WTERMSIG(status));
	return !leaves_files() && WIFEXITED(status) && !WEXITSTATUS(status);
}

int tap_run_with(passes_fn passes)
{
	/* A part of the names of the tests to run */
	const char *part = getenv("TAP_ONLY");
	const char *place = getenv("TMPDIR");
	char directory[256];
	size_t failed = 0, number = 0;

	/* A child would print again what is in the buffer when a test forks. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%zu\n", nr_tests);
	snprintf(directory, sizeof(directory), "%s/tap-XXXXXX",
		 place ? place : "/tmp");
	if (!mkdtemp(directory) || chdir(directory))
		return EXIT_FAILURE;
	for (struct tap_test *test = first; test; test = test->next) {
		bool good;

		number++;
		if (part && !strstr(test->name, part)) {
			printf("ok %zu - # SKIP %s\n", number, test->name);
			continue;
		}
		good = passes_in_child(test, number - 1, passes);
		printf("%sok %zu - %s\n", good ? "" : "not ", number,
		       test->name);
		failed += !good;
	}
	rmdir(directory);
	return failed || !number ? EXIT_FAILURE : EXIT_SUCCESS;
}

static bool run_test(const struct tap_test *test, size_t index)
{
	(void)index;
	return test->run();
}

int tap_run(void)
{
	return tap_run_with(run_test);
}

/* That of a program without its own */
__attribute__((weak)) int main(void)
{
	return tap_run();
}
