// SPDX-License-Identifier: GPL-2.0-only
#include "random.h"

#include <errno.h>
#include <stdlib.h>

static u64 counter;

void random_seed(u64 seed)
{
	counter = seed << 32;
}

/* A counter, mixed by steps that are one to one: no value repeats. */
u64 random_u64(void)
{
	u64 x = ++counter;

	for (int i = 0; i < 3; i++) {
		x *= 0x9e3779b97f4a7c15;
		x ^= x >> 31;
	}
	return x;
}

u64 random_below(u64 limit)
{
	return random_u64() % limit;
}

bool random_one_in(u32 n)
{
	return !random_below(n);
}

/* 2^@bits; 2^64 is 0, so that 0 less a little is one of the largest numbers. */
static u64 power(u32 bits)
{
	return bits < 64 ? 1ULL << bits : 0;
}

u64 random_edge(void)
{
	static const u8 bits[] = { 8, 16, 31, 32, 33, 47, 48, 49, 63, 64 };
	u64 edge = power(bits[random_below(sizeof(bits))]);

	switch (random_below(4)) {
	case 0:
		return edge + random_below(9) - 4;
	case 1:
		return edge + random_below(1 << 18) - (1 << 17);
	case 2:
		edge = random_u64();
		return edge >> random_below(64);
	default:
		return random_below(64);
	}
}

u32 random_scale(void)
{
	u32 scale;

	switch (random_below(3)) {
	case 0:
		return 0x4000 << random_below(5);
	case 1:
		scale = power(random_below(33));
		return scale + random_below(5) - 2;
	default:
		scale = random_u64();
		return scale >> random_below(31);
	}
}

#define DEFAULT_SEED 4242

u64 cases_tried;

static u64 seed = DEFAULT_SEED;

static bool read_seed(void)
{
	const char *text = getenv("SEED");
	char *end;

	if (!text || !*text)
		return true;
	errno = 0;
	seed = strtoull(text, &end, 0);
	return !errno && !*end && !(seed >> 32);
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

int main(void)
{
	if (!read_seed()) {
		fprintf(stderr, "bad SEED: give one number of 32 bits\n");
		return 2;
	}
	return tap_run_with(run_seeded);
}
