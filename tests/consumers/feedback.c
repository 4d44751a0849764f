// SPDX-License-Identifier: GPL-2.0-only
/* A program to be compiled with its profile */
#include <stdio.h>
#include <stdlib.h>

#include "feedback.h"

static __attribute__((noinline)) unsigned int helper(unsigned int n)
{
	unsigned int steps = 0;

	for (; n > 1 && steps < 500; n = step(n))
		steps++;
	return steps;
}

int main(int argc, char **argv)
{
	unsigned int end = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000, sum = 0;

	for (unsigned int n = 1; n < end; n++)
		sum += helper(n) ^ other_work(n);
	printf("%u\n", sum);
	return 0;
}
