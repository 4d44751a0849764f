// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <stdlib.h>

#include "random.h"
#include "tap.h"

#define USUAL_SEED 4242

u64 tap_cases;

static bool read_seed(int argc, char **argv, u64 *seed)
{
	char *end;

	*seed = USUAL_SEED;
	if (argc < 2)
		return true;
	errno = 0;
	*seed = strtoull(argv[1], &end, 0);
	return argc == 2 && !errno && end != argv[1] && !*end && !(*seed >> 32);
}

static bool run(const struct tap_test *test, u32 number)
{
	bool good;

	tap_cases = 0;
	good = test->run() && tap_cases;
	tap_note("%llu cases", tap_cases);
	printf("%sok %u - %s\n", good ? "" : "not ", number, test->name);
	return good;
}

int tap_main(int argc, char **argv, const struct tap_test *tests, u32 nr)
{
	u32 i, failed = 0;
	u64 seed;

	if (!read_seed(argc, argv, &seed)) {
		fprintf(stderr, "Bad seed: give one number of 32 bits.\n");
		return 2;
	}
	/* What was said before a crash is wanted most. */
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n1..%u\n", nr);
	tap_note("seed %llu", seed);
	for (i = 0; i < nr; i++) {
		random_seed(seed + i);
		failed += !run(&tests[i], i + 1);
	}
	return failed ? 1 : 0;
}
