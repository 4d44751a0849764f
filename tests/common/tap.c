// SPDX-License-Identifier: GPL-2.0-only
#include "tap.h"

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

/* A profile that a test leaves switched on ends with the test's process. */
static bool passes_in_child(const struct tap_test *test, size_t index,
			    passes_fn passes)
{
	pid_t child = fork();
	int status;

	if (!child)
		exit(passes(test, index) ? EXIT_SUCCESS : EXIT_FAILURE);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status))
		tap_note("killed by signal %d", WTERMSIG(status));
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

int tap_run_with(passes_fn passes)
{
	/* A part of the names of the tests to run */
	const char *part = getenv("TAP_ONLY");
	size_t failed = 0, number = 0;

	/* A child would print again what is in the buffer when a test forks. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%zu\n", nr_tests);
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
