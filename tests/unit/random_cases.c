// SPDX-License-Identifier: GPL-2.0-only
#include "random_cases.h"

#include <errno.h>
#include <stdlib.h>

#include "random.h"

#define DEFAULT_SEED 4242

u64 cases_tried;

static u64 seed = DEFAULT_SEED;

static bool read_seed(int argc, char **argv)
{
	char *end;

	if (argc < 2)
		return true;
	errno = 0;
	seed = strtoull(argv[1], &end, 0);
	return argc == 2 && !errno && end != argv[1] && !*end && !(seed >> 32);
}

/* The seed of a test does not depend on the tests before it. */
static bool run_seeded(const struct tap_test *test, size_t index)
{
	bool good;

	random_seed(seed + index);
	good = test->run() && cases_tried;
	tap_note("%llu cases of seed %llu", cases_tried, seed);
	return good;
}

int cases_run(int argc, char **argv)
{
	if (!read_seed(argc, argv)) {
		fprintf(stderr, "bad seed: give one number of 32 bits\n");
		return 2;
	}
	return tap_run_with(run_seeded);
}
