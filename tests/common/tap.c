// SPDX-License-Identifier: GPL-2.0-only
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

typedef bool (*passes_fn)(const struct tap_test *test, size_t index);

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

int tap_run_with(const struct tap_test *tests, size_t nr, passes_fn passes)
{
	size_t failed = 0;

	/* A child would print again what is in the buffer when a test forks. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%zu\n", nr);
	for (size_t i = 0; i < nr; i++) {
		bool good = passes_in_child(&tests[i], i, passes);

		printf("%sok %zu - %s\n", good ? "" : "not ", i + 1,
		       tests[i].name);
		failed += !good;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static bool run_test(const struct tap_test *test, size_t index)
{
	(void)index;
	return test->run();
}

int tap_run(const struct tap_test *tests, size_t nr)
{
	return tap_run_with(tests, nr, run_test);
}
