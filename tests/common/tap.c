// SPDX-License-Identifier: GPL-2.0-only
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whatever a test leaves switched on ends with its process. */
static bool passes(const struct tap_test *test)
{
	pid_t child = fork();
	int status;

	if (!child)
		exit(test->run() ? EXIT_SUCCESS : EXIT_FAILURE);
	if (child < 0 || waitpid(child, &status, 0) != child)
		return false;
	if (WIFSIGNALED(status))
		printf("# killed by signal %d\n", WTERMSIG(status));
	return WIFEXITED(status) && !WEXITSTATUS(status);
}

int tap_run(const struct tap_test *tests, size_t nr)
{
	size_t failed = 0;

	/* Nothing may lie in a buffer when a test forks. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%zu\n", nr);
	for (size_t i = 0; i < nr; i++) {
		bool good = passes(&tests[i]);

		printf("%sok %zu - %s\n", good ? "" : "not ", i + 1,
		       tests[i].name);
		failed += !good;
	}
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
