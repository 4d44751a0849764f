// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child that runs the command
 *
 * The oracle is sh, whose ulimit prints the limits that a program has.
 */
#include <sys/resource.h>

#include "record/child.h"
#include "tap.h"
#include "util/file_limit.h"

#define ELEMENTS(array) (sizeof(array) / sizeof(*(array)))

/* Lower than any usual limit */
#define LOW 61

/* Exit status of the command @text of sh */
static int status_of(char *text)
{
	char *argv[4] = { "sh", "-c", text };
	struct child child = { .argv = argv };
	struct child_result result = { .status = -1 };

	if (!profil_child_begin(&child))
		return -1;
	profil_child_wait(&child, CHILD_NEVER, &result);
	profil_child_end(&child);
	return result.status;
}

static bool gives_the_limit_of_files_back(void)
{
	struct rlimit limit;
	rlim_t most;

	CHECK(!getrlimit(RLIMIT_NOFILE, &limit));
	most = limit.rlim_max;
	CHECK(most > LOW);
	limit.rlim_cur = LOW;
	CHECK(!setrlimit(RLIMIT_NOFILE, &limit));
	CHECK_EQUAL(LOW, status_of("exit $(ulimit -Sn)"));
	profil_file_limit_raise();
	CHECK(!getrlimit(RLIMIT_NOFILE, &limit));
	CHECK(limit.rlim_cur == most && limit.rlim_max == most);
	CHECK_EQUAL(LOW, status_of("exit $(ulimit -Sn)"));
	CHECK_EQUAL(0, status_of("[ $(ulimit -Hn) != $(ulimit -Sn) ]"));
	return true;
}

static const struct tap_test tests[] = {
	{ "a command has the limit of files that profil was started with",
	  gives_the_limit_of_files_back },
};

int main(void)
{
	return tap_run(tests, ELEMENTS(tests));
}
