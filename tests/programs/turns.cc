// SPDX-License-Identifier: GPL-2.0-only

// A program of C++ that profil is attached to; run describes its arguments. Each function
// is the innermost of eight that one template makes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

struct first {
	static uint64_t step(uint64_t sum, uint64_t i)
	{
		return (sum * 31) ^ i;
	}
};

struct second {
	static uint64_t step(uint64_t sum, uint64_t i)
	{
		return (sum + i) * 7;
	}
};

template <typename Work, int depth> struct Level {
	[[gnu::noipa]] static uint64_t run(uint64_t rounds)
	{
		return Level<Work, depth - 1>::run(rounds) + depth;
	}
};

template <typename Work> struct Level<Work, 0> {
	[[gnu::noipa]] static uint64_t run(uint64_t rounds)
	{
		uint64_t sum = rounds;

		for (uint64_t i = 0; i < rounds; i++)
			sum = Work::step(sum, i);
		return sum;
	}
};

// CPU time of the process, in nanoseconds
static int64_t now()
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static volatile uint64_t result;

// Call a function for some CPU time, and return the CPU time.
template <typename Work> [[gnu::noinline]] static int64_t work(int64_t nanoseconds)
{
	int64_t begin = now();

	while (now() - begin < nanoseconds)
		result = Level<Work, 7>::run(100000);
	return now() - begin;
}

int main(int, char **argv)
{
	int64_t used[2] = { 0, 0 };

	puts("ready");
	fflush(stdout);
	getchar();
	for (int i = 0; i < 10; i++) {
		used[0] += work<first>(atoll(argv[1]) / 10);
		used[1] += work<second>(atoll(argv[2]) / 10);
	}
	printf("used %lld %lld\n", (long long)used[0], (long long)used[1]);
	fflush(stdout);
	getchar();
}
