// SPDX-License-Identifier: GPL-2.0-only
#include "random.h"

#include <sys/random.h>

#include "common.h"

/* The steps are one to one: different states give different numbers. */
static __u64 scramble(__u64 x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
	x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
	return x ^ (x >> 31);
}

__u64 mix(__u64 a, __u64 b)
{
	return scramble(scramble(a) + 0x9e3779b97f4a7c15 * (b + 1));
}

struct stream stream_of(__u64 seed, __u64 process, __u64 operation)
{
	return (struct stream){ mix(mix(seed, process), operation) };
}

__u64 draw(struct stream *stream)
{
	stream->state += 0x9e3779b97f4a7c15;
	return scramble(stream->state);
}

__u64 draw_below(struct stream *stream, __u64 limit)
{
	return draw(stream) % limit;
}

bool draw_one_in(struct stream *stream, unsigned int n)
{
	return !draw_below(stream, n);
}

__u64 seed_of(const char *text)
{
	__u64 seed = 0;

	if (text)
		return strtoull(text, NULL, 0);
	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = wall_ns();
	return seed % 1000000000;
}
